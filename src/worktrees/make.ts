/** Makes a worktree the way the client does; if it fails halfway, neither directory nor branch is left. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { GuardError } from '../core/error.ts';
import { gitWorktrees, type Worktree } from '../git/heads.ts';
import { checkOutSparse, copyIncluded, fixHooksPath, linkDirectories } from './contents.ts';
import { GitFailed, ifSaid, type RunGit } from './git.ts';
import { writeNote } from './note.ts';
import type { WorktreeSettings } from './settings.ts';

export interface WorktreePlan {
  readonly git: RunGit;
  /** Root of the main checkout. */
  readonly root: string;
  readonly common_dir: string;
  readonly dir: string;
  readonly branch: string;
  readonly base: string;
  /** Null: it is not locked. */
  readonly lock: string | null;
  readonly settings: Pick<WorktreeSettings, 'links' | 'sparse'>;
}

/** @throws GuardError GUARD_ERR_WORKTREE */
export function makeWorktree(plan: WorktreePlan): void {
  const { git, root, dir, common_dir } = plan;
  const known = worktreeAt(common_dir, dir);
  try {
    if (known !== undefined && existsSync(dir)) {
      takeAgain(plan);
      return;
    }
    if (known !== undefined) git(root, 'worktree', 'remove', '--force', '--force', dir);
    refuseLoss(plan);
    make(plan);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw failed(plan, error.message);
  }
}

export const worktreeAt = (common_dir: string, dir: string): Worktree | undefined =>
  gitWorktrees(common_dir).find(({ id, root }) => id !== null && root === dir);

/** The same name again means the same worktree, whose lock now names the new caller. */
function takeAgain({ git, root, dir, lock }: WorktreePlan): void {
  if (lock === null) return;
  ifSaid(git, root, 'worktree', 'unlock', dir);
  git(root, 'worktree', 'lock', '--reason', lock, dir);
}

/**
 * The client would reset an existing branch of that name, whatever is on it, and fail if the directory has files.
 * @throws GuardError GUARD_ERR_WORKTREE
 */
export function refuseLoss({
  git,
  root,
  dir,
  branch,
}: Pick<WorktreePlan, 'git' | 'root' | 'dir' | 'branch'>): void {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw notMade(`${dir} already exists and is not a worktree.`, 'Move it away, or choose another name.', {
      dir,
    });
  const rest = ['--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  const own = ifSaid(git, root, 'rev-list', '--count', `refs/heads/${branch}`, ...rest, '--');
  if (own === null || own === '0') return;
  const hint = `Choose another name, or rename the branch to keep its commits: git branch -m ${branch} NAME`;
  throw notMade(
    `The branch ${branch} already exists, with ${own} commits that are on no other branch.`,
    hint,
    {
      branch,
    },
  );
}

function make(plan: WorktreePlan): void {
  const { git, root, dir, branch, base, lock, settings } = plan;
  const before = ifSaid(git, root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
  const files = settings.sparse.length > 0 ? ['--no-checkout'] : [];
  const locked = lock === null ? [] : ['--lock', '--reason', lock];
  try {
    const how = [...files, ...locked, '--no-track', '-B', branch];
    git(root, 'worktree', 'add', '--quiet', ...how, dir, `${base}^{commit}`);
    fill(plan);
  } catch (error) {
    undo(plan, before);
    throw error;
  }
}

function fill({ git, root, dir, branch, base, settings, common_dir }: WorktreePlan): void {
  const filling = { git, root, dir };
  if (settings.sparse.length > 0) checkOutSparse(filling, settings.sparse);
  fixHooksPath(filling);
  const links = linkDirectories(filling, settings.links);
  copyIncluded(filling);
  const made = worktreeAt(common_dir, dir);
  if (made !== undefined) writeNote(made.git_dir, { base, branch, links });
}

/** Restores the branch and removes everything else. */
function undo({ git, root, dir, branch }: WorktreePlan, before: string | null): void {
  ifSaid(git, root, 'worktree', 'remove', '--force', '--force', dir);
  rmSync(dir, { recursive: true, force: true });
  ifSaid(git, root, 'worktree', 'prune');
  const ref = `refs/heads/${branch}`;
  if (before === null) ifSaid(git, root, 'update-ref', '-d', ref);
  else ifSaid(git, root, 'update-ref', ref, before);
}

const failed = ({ dir, branch }: WorktreePlan, said: string): GuardError =>
  notMade(`No worktree was made at ${dir}: ${said}`, 'Fix what git reports, then try again.', {
    dir,
    branch,
  });

export const notMade = (message: string, hint: string, facts: Readonly<Record<string, string>>): GuardError =>
  new GuardError('GUARD_ERR_WORKTREE', message, hint, facts);
