/**
 * The uncommitted work of an agent in its worktree. Excluded are links that guard made, and what the setup of its role left
 * there, as long as it is unchanged.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asObject, parsedObject } from '../core/json-object.ts';
import { digestFile } from '../repo/digest.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import type { RunGit } from '../worktrees/git.ts';
import { readNote } from '../worktrees/note.ts';

/** In the worktree's own git directory: paths and their contents. */
const FILE = 'guard-setup.json';
/** A repository that ignores too little lists all of its dependencies here, at 120 bytes each. */
const BYTES = 64 << 20;

const gitDirAt = (git: RunGit, dir: string): string => git(dir, 'rev-parse', '--absolute-git-dir').trim();

interface OpenFile {
  /** Relative to the root; a directory that is itself a repository ends with `/`. */
  readonly path: string;
  /** Whether all of it is in the index. */
  readonly is_staged: boolean;
}

function listed(git: RunGit, dir: string, git_dir: string): readonly OpenFile[] {
  const links = readNote(git_dir)?.links ?? [];
  const others = links.map((link) => `:(top,exclude,literal)${link}`);
  return git(dir, 'status', '--porcelain', '-z', '-uall', '--no-renames', '--', ':/', ...others)
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({ path: line.slice(3), is_staged: line[1] === ' ' }));
}

/** Called after the setup and before the agent starts. */
export function noteSetup(git: RunGit, dir: string): void {
  const git_dir = gitDirAt(git, dir);
  const made = Object.fromEntries(
    listed(git, dir, git_dir).map(({ path }) => [path, contentAt(join(dir, path))]),
  );
  replaceWhole(join(git_dir, FILE), JSON.stringify({ v: 1, made }));
}

/** `null` for what is never compared. */
function contentAt(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'none';
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return digestFile(path, { deadline: () => undefined }).digest;
}

export interface OpenFiles {
  readonly open: readonly OpenFile[];
  /** Files still as the setup left them. */
  readonly made: ReadonlySet<string>;
}

export function openFiles(git: RunGit, dir: string): OpenFiles {
  const git_dir = gitDirAt(git, dir);
  const all = listed(git, dir, git_dir);
  const known = asObject(parsedObject(textOf(join(git_dir, FILE), BYTES) ?? '')['made']);
  const isMade = (path: string): boolean =>
    typeof known[path] === 'string' && attempt(() => contentAt(join(dir, path)), null) === known[path];
  const made = new Set(
    all.map(({ path }) => path).filter((path) => Object.hasOwn(known, path) && isMade(path)),
  );
  return { open: all.filter(({ path }) => !made.has(path)), made };
}

/** Commits all of `open`, without running the repository's hooks. */
export function commitFiles(git: RunGit, dir: string, open: readonly OpenFile[], message: string): void {
  // git would not find a path that is gone from both the index and the checkout.
  const paths = open.filter(({ is_staged }) => !is_staged).map(({ path }) => path);
  const list = join(gitDirAt(git, dir), 'guard-open');
  replaceWhole(list, paths.join('\0'));
  if (paths.length > 0)
    git(dir, '--literal-pathspecs', 'add', '-A', `--pathspec-from-file=${list}`, '--pathspec-file-nul');
  git(dir, 'commit', '-q', '--no-verify', '-m', message);
}
