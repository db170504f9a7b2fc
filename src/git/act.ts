/** A git command that is about to run, and what it would touch. */
import { isAbsolute, join, resolve } from 'node:path';
import type { Git } from './ask.ts';
import type { GitCheckout } from './place.ts';
import type { Word } from './words.ts';

export interface Act extends GitCheckout {
  readonly command: string;
  readonly args: readonly Word[];
  readonly git: Git;
  /** git in the checkout of a submodule; null: there is none at that path. */
  readonly gitIn: (root: string) => Git | null;
  /** `-c key=value`, as given. */
  readonly settings: readonly string[];
  /** What it reads from its standard input, if known. */
  readonly stdin: string | null;
  /** The arguments of a `git diff` or `git show` whose output may be piped into it. */
  readonly piped: readonly string[] | null;
  /** What is at a path, without following links. */
  kind(abs: string): 'file' | 'directory' | 'other' | null;
  /** How many entries earlier commands of the same line saved on the stash. */
  readonly saved_before: number;
  /** Files that earlier commands of the line added to the index, as `TouchedFile.path`. */
  readonly added_before: readonly string[];
}

export interface TouchedFile {
  /** Relative to the root, or absolute. */
  readonly path: string;
  readonly is_tree?: true;
  readonly on_disk: boolean;
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
}

export interface Touch {
  readonly files?: readonly TouchedFile[];
  readonly resources?: readonly Resource[];
  /** The stash entries that it takes or drops. */
  readonly stash?: StashTaken;
  readonly refs?: readonly RefMove[];
  /** A linked worktree that is moved or removed. */
  readonly leaves?: LeftWorktree;
  /** Whether it saves something on the stash. */
  readonly saves?: boolean;
  readonly narrower?: Narrower;
  /** What cannot be determined before it runs. */
  readonly unresolved?: string;
}

export type Resource = 'stash' | 'config' | 'worktrees' | 'index' | 'worktree' | `refs/${string}`;

export interface StashTaken {
  readonly verb: 'pop' | 'apply' | 'drop' | 'clear' | 'branch';
  /** Counted from the newest, in the stack as it is when the line begins; null: all. */
  readonly index: number | null;
}

export interface LeftWorktree {
  readonly id: string;
  readonly root: string;
}

export interface RefMove {
  /** `refs/heads/main` */
  readonly ref: string;
  readonly how: 'delete' | 'move';
}

export interface Narrower {
  /** The words before `--`, as in `git stash push`, to be followed by the remaining files. Null: there is no such form. */
  readonly paths: readonly string[] | null;
  /** What else helps, as a sentence or a command. */
  readonly instead?: string;
}

export const TOUCHES_NOTHING: Touch = {};

/** For `checkout .` in a sub-directory and similar: git interprets pathspecs, we interpret plain paths. */
export const absoluteIn = ({ root }: Pick<Act, 'root'>, path: string): string =>
  isAbsolute(path) ? path : join(root, path);

export const fromCwd = ({ cwd }: Pick<Act, 'cwd'>, path: string): string => resolve(cwd, path);
