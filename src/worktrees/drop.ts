// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The end of a worktree that guard made: it is removed if nothing was done in it and no other agent is in it. */
import { asWorktreeAgents, worktreeKey } from '../core/worktrees.ts';
import { isAlive } from '../core/alive.ts';
import { isGuardError } from '../core/error.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { factsAmong } from '../core/rules/among-machines.ts';
import { removedWorktree } from '../core/rules/removed-worktree.ts';
import { changesOver } from '../core/states.ts';
import { cloneOf, ledgerName } from '../repo/clones.ts';
import { monotonic } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { mainRoot } from '../repo/main-root.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { consult, transact } from '../store/transact.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { gitFor } from './git.ts';
import { inTurn } from './in-turn.ts';
import { worktreeAt } from './make.ts';
import { readNote } from './note.ts';
import { removeUnchanged } from './remove.ts';

/** The end of a subagent waits for this. */
const LIMIT_MS = 20_000;

export interface Dropping {
  readonly repo: Repo;
  readonly dir: string;
  readonly env: Environment;
  readonly space: CallerWorkspace | null;
}

/** Why it is kept; null: it was removed, or guard did not make it. */
export function dropWorktree({ repo, dir, env, space }: Dropping): string | null {
  const { common_dir } = repo;
  const made = common_dir === null ? undefined : worktreeAt(common_dir, dir);
  if (common_dir === null || made === undefined || readNote(made.git_dir) === null) return null;
  const name = ledgerName(cloneOf(repo), made.id) ?? '';
  if (space !== null && isInUse(space, name)) return 'another agent works in it';
  const until_ms = monotonic() + LIMIT_MS;
  const root = mainRoot(repo);
  const work = (): string | null => {
    const why = removeUnchanged({ git: gitFor({ env, until_ms }), root, common_dir, dir });
    // Still in its turn, so that a new worktree of this name begins without leases.
    if (space !== null && worktreeAt(common_dir, dir) === undefined) unlessBusy(() => forget(space, name));
    return why;
  };
  if (space === null) return work();
  try {
    return inTurn(space, until_ms, work);
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return error.message;
  }
}

function forget({ store, facts, who }: CallerWorkspace, worktree: string): void {
  const now = facts();
  transact(store, (view) =>
    removedWorktree(view, { who, worktree }, store.supports.shared ? factsAmong(view.now, now) : now),
  );
}

function isInUse({ store, facts, who }: CallerWorkspace, worktree: string): boolean {
  const key = worktreeKey(worktree);
  const { agents = [] } = asWorktreeAgents(store.look([key]).get(key)) ?? {};
  const others = agents.filter((id) => id !== who.id);
  return (
    others.length > 0 &&
    consult(store, (view) => others.some((id) => isAlive(changesOver(view), id, facts())))
  );
}
