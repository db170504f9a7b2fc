/** One git command that is to run, and what it would touch. */
import { isAbsolute, join, resolve } from 'node:path';
import type { Git } from './ask.ts';
import type { GitCheckout } from './place.ts';
import type { Word } from './words.ts';

export interface Act extends GitCheckout {
  readonly command: string;
  readonly args: readonly Word[];
  readonly git: Git;
  /** In the checkout of a submodule; null: there is none at that path. */
  readonly gitIn: (root: string) => Git | null;
  /** `-c key=value`, as given. */
  readonly settings: readonly string[];
  /** What it reads from its standard input, where that is known. */
  readonly stdin: string | null;
  /** The arguments of a `git diff` or `git show` whose output it may read. */
  readonly piped: readonly string[] | null;
  /** What is there, links not followed. */
  kind(abs: string): 'file' | 'directory' | 'other' | null;
  /** The line that it is part of saved something on the stash before. */
  readonly saved_before: number;
  /** What an earlier part of the line put into the index, as its `TouchedFile.path`. */
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
  /** Entries of the stash that it takes or drops. */
  readonly stash?: StashTaken;
  readonly refs?: readonly RefMove[];
  /** A linked worktree that goes from where it is. */
  readonly leaves?: LeftWorktree;
  /** It saves something on the stash. */
  readonly saves?: boolean;
  readonly narrower?: Narrower;
  /** What nobody can tell before it runs. */
  readonly unresolved?: string;
}

export type Resource = 'stash' | 'config' | 'worktrees' | 'index' | 'worktree' | `refs/${string}`;

export interface StashTaken {
  readonly verb: 'pop' | 'apply' | 'drop' | 'clear' | 'branch';
  /** Counted from the newest, as the stack is when the line begins; null: all. */
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
  /** The words before `--` and the files that are left: `git stash push`. Null: there is no such form. */
  readonly paths: readonly string[] | null;
  /** What else helps, as a sentence or a command. */
  readonly instead?: string;
}

export const TOUCHES_NOTHING: Touch = {};

/** `checkout .` in a sub-directory and its like: pathspecs are git's to read, plain paths are ours. */
export const absoluteIn = ({ root }: Pick<Act, 'root'>, path: string): string =>
  isAbsolute(path) ? path : join(root, path);

export const fromCwd = ({ cwd }: Pick<Act, 'cwd'>, path: string): string => resolve(cwd, path);
