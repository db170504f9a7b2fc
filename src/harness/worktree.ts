/** A checkout of an agent's own: made before it starts, looked at when it has ended. */
import { execFileSync } from 'node:child_process';
import { errnoOf } from '../repo/errno.ts';
import type { WorktreeState } from '../core/drafts.ts';

const TIMEOUT_MS = 60_000;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** In the commit that a worktree would begin with. */
export function isCommitted(root: string, path: string): boolean {
  try {
    git(root, 'cat-file', '-e', `HEAD:${path}`);
    return true;
  } catch {
    return false;
  }
}

export function makeWorktree(root: string, dir: string, branch: string): WorktreeState {
  const base = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'worktree', 'add', '-q', '-b', branch, dir, base);
  return { dir, branch, base, changed: null, commits: 0, kept: true };
}

/** What the agent changed, committed or not. Where that is nothing, checkout and branch are removed. */
export function reportWorktree(root: string, made: WorktreeState): WorktreeState {
  const { dir, base, branch } = made;
  try {
    const committed = git(dir, 'diff', '--name-only', '-z', base, 'HEAD').split('\0');
    const open = git(dir, 'status', '--porcelain', '-z', '-uall', '--no-renames').split('\0');
    const changed = [...committed, ...open.map((line) => line.slice(3))].filter((path) => path !== '');
    const commits = Number(git(dir, 'rev-list', '--count', `${base}..HEAD`).trim());
    const report = { ...made, changed: [...new Set(changed)].sort(), commits };
    if (changed.length > 0 || commits > 0) return report;
    git(root, 'worktree', 'remove', '--force', dir);
    git(root, 'branch', '-q', '-D', branch);
    return { ...report, kept: false };
  } catch (error) {
    // It is on disk as the agent left it; a report that fails must not cost the agent's own result.
    if (errnoOf(error) === 'ENOENT') return { ...made, kept: false };
    return made;
  }
}
