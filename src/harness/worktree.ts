/** An agent's own checkout, and what it looks like once the agent has ended. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { WorktreeState } from '../core/drafts.ts';
import { openFiles } from './open-files.ts';

const TIMEOUT_MS = 60_000;
/** Room for the names of all files an agent left behind. */
const OUTPUT_BYTES = 256 * 1024 * 1024;
/** The ledger keeps this many names; the checkout has them all. */
const CHANGED_MAX = 1_000;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Whether the commit that a worktree would start from has this file. */
export const isCommitted = (root: string, base: string, path: string): boolean =>
  attempt(() => {
    git(root, 'cat-file', '-e', `${base}:${path}`);
    return true;
  }, false);

/** `null` if it is not a commit here. */
export const commitOf = (root: string, name: string): string | null =>
  attempt(
    () => git(root, 'rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`).trim(),
    null,
  );

type Place = Pick<WorktreeState, 'dir' | 'branch'>;

/** @param force twice for a checkout that someone locked */
function removeCheckout(root: string, dir: string, ...force: readonly '--force'[]): void {
  if (existsSync(dir)) git(root, 'worktree', 'remove', ...force, dir);
  else git(root, 'worktree', 'prune');
}

/** Empty if there is none. */
const tipOf = (root: string, branch: string): string =>
  git(root, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`).trim();

/** Removes checkout and branch, whatever they contain. */
export function removeWhole(root: string, { dir, branch }: Place): void {
  removeCheckout(root, dir, '--force', '--force');
  if (tipOf(root, branch) !== '') git(root, 'branch', '-q', '-D', branch);
}

/** The same, except for a checkout that someone locked, and a branch that is not merged. */
export function removeUnused(root: string, { dir, branch }: Place): void {
  removeCheckout(root, dir, '--force');
  if (tipOf(root, branch) === '') return;
  // With an upstream, `-d` would compare with that, which may be behind what was merged here.
  attempt(() => git(root, 'branch', '--unset-upstream', branch), undefined);
  git(root, 'branch', '-q', '-d', branch);
}

/**
 * What the agent changed, committed or not. If that is nothing, checkout and branch are removed. The agent may have left
 * its branch with commits on it, or have removed either.
 */
export function reportWorktree(root: string, made: WorktreeState): WorktreeState {
  const { dir, base, branch } = made;
  try {
    const is_there = existsSync(dir);
    if (!is_there) git(root, 'worktree', 'prune');
    const own = tipOf(root, branch);
    const head = is_there ? git(dir, 'rev-parse', 'HEAD').trim() : '';
    const tips = [own, head].filter((tip) => tip !== '');
    const committed = tips.flatMap((tip) => paths(git(root, 'diff', '--name-only', '-z', base, tip)));
    const { open } = is_there ? openFiles(git, dir) : { open: [] };
    const changed = [...new Set([...committed, ...open.map(({ path }) => path)])].sort();
    const commits = Number(git(root, 'rev-list', '--count', ...tips, `^${base}`).trim());
    const report = { ...made, changed: named(changed), commits };
    if (changed.length > 0 || commits > 0) return report;
    if (is_there) git(root, 'worktree', 'remove', '--force', dir);
    if (own !== '') git(root, 'branch', '-q', '-D', branch);
    return { ...report, kept: false };
  } catch {
    // It stays as the agent left it: a failed report must not cost the agent's own result.
    return made;
  }
}

const paths = (listed: string): string[] => listed.split('\0').filter((path) => path !== '');

const named = (paths: readonly string[]): readonly string[] =>
  paths.length <= CHANGED_MAX
    ? paths
    : [...paths.slice(0, CHANGED_MAX), `… and ${paths.length - CHANGED_MAX} more`];
