/** Removes a worktree that guard made and in which nothing was done, as the client does with its own. */
import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../repo/names-in.ts';
import type { Worktree } from '../git/heads.ts';
import { midwayIn } from '../repo/midway.ts';
import { GitFailed, ifSaid, type RunGit } from './git.ts';
import { worktreeAt } from './make.ts';
import { readNote, type WorktreeNote } from './note.ts';

export interface Removal {
  readonly git: RunGit;
  /** Root of the main checkout. */
  readonly root: string;
  readonly common_dir: string;
  readonly dir: string;
}

/** Why it is kept; null: worktree and branch were removed, or guard did not make it. */
export function removeUnchanged(removal: Removal): string | null {
  const { git, root, common_dir, dir } = removal;
  const made = worktreeAt(common_dir, dir);
  const note = made === undefined ? null : readNote(made.git_dir);
  if (made === undefined || note === null || !existsSync(dir)) return null;
  try {
    const done = workIn(removal, made, note);
    if (done !== null) return done;
    ifSaid(git, root, 'worktree', 'unlock', dir);
    for (const link of note.links) unlink(join(dir, link));
    // Without force: if anything was added since, it is kept, along with the worktree.
    git(root, 'worktree', 'remove', dir);
    // Only if the branch is still where it began.
    ifSaid(git, root, 'update-ref', '-d', `refs/heads/${note.branch}`, note.base);
    return null;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    return error.message;
  }
}

/** What would be lost, or is meant for later. */
function workIn({ git, dir }: Removal, { git_dir, branch }: Worktree, note: WorktreeNote): string | null {
  if (branch !== `heads/${note.branch}`) return 'another branch is checked out in it';
  if (git(dir, 'rev-list', '--count', `${note.base}..HEAD`, '--').trim() !== '0') return 'it has commits';
  if (git(dir, 'rev-parse', 'HEAD').trim() !== note.base) return 'its branch was moved';
  const running = midwayIn(git_dir)?.[1] ?? null;
  if (running !== null) return `a ${running} is in progress in it`;
  if (namesIn(join(git_dir, 'refs', 'worktree')).length > 0) return 'it has its own refs';
  const links = note.links.map((link) => `:(top,exclude,literal)${link}`);
  const listed = git(
    dir,
    'status',
    '--porcelain',
    '--untracked-files=all',
    '--no-renames',
    '--',
    ':/',
    ...links,
  );
  return listed === '' ? null : 'it has uncommitted changes';
}

function unlink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(path);
}
