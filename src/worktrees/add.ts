/** Adds a worktree with a given name, for a hook of the client or a person. */
import { join } from 'node:path';
import { lockReason, worktreeNames } from '../core/worktree-names.ts';
import { monotonic } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { mainRoot } from '../repo/main-root.ts';
import type { ProcessMark } from '../core/types.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { baseCommit } from './base.ts';
import { gitFor, GitFailed } from './git.ts';
import { inTurn } from './in-turn.ts';
import { makeWorktree, notMade } from './make.ts';
import { worktreeSettings } from './settings.ts';

export interface WorktreeWish {
  readonly name: string;
  /** The caller's directory. */
  readonly cwd: string;
  readonly repo: Repo;
  readonly env: Environment;
  /** The process that the worktree's lock names; null: it is not locked. */
  readonly proc: Pick<ProcessMark, 'pid' | 'start'> | null;
  /** Null: there is no ledger to queue in. */
  readonly space: CallerWorkspace | null;
  /** For everything, including the wait. */
  readonly limit_ms: number;
}

export interface MadeWorktree {
  readonly path: string;
  readonly branch: string;
}

/** @throws GuardError GUARD_ERR_WORKTREE */
export function addWorktree(wish: WorktreeWish): MadeWorktree {
  const { name, cwd, repo, env, proc, space, limit_ms } = wish;
  const { common_dir } = repo;
  const names = worktreeNames(name);
  if (names === null)
    throw notMade(
      `${JSON.stringify(name)} is not a valid name for a worktree.`,
      'Use letters, digits, ".", "-", "_" and "/".',
      { name },
    );
  if (common_dir === null)
    throw notMade(`${repo.root} is not a git repository.`, 'Run git init there first.', { root: repo.root });
  const root = mainRoot(repo);
  const until_ms = monotonic() + limit_ms;
  const git = gitFor({ env, until_ms });
  const settings = worktreeSettings(repo.root, env);
  const dir = join(root, names.dir);
  const lock = proc === null ? null : lockReason(name, proc);
  const make = (): void =>
    makeWorktree({ git, root, common_dir, dir, branch: names.branch, base, lock, settings });
  // Determined before taking a turn, because a remote that does not answer would block everyone else.
  const base = baseOf(() => baseCommit(git, { cwd, common_dir, env, from_head: settings.from_head }), root);
  if (space === null) make();
  else inTurn(space, until_ms, make);
  return { path: dir, branch: names.branch };
}

function baseOf(look: () => string, root: string): string {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw notMade(
      `${root} has no commit for a worktree to start from: ${error.message}`,
      'Commit something first.',
      { root },
    );
  }
}
