/** What every grant does: creates a new lease, and ends those that yielded to it. */
import { inRepository, isTogether } from '../lease-scope.ts';
import type { Hold, Mode, RepoPath } from '../types.ts';
import { checkoutAt } from '../worktrees.ts';
import { setHolds } from './holds.ts';
import type { Free } from './lease.ts';
import { endYielded } from './revoke.ts';
import type { Acting, Granting } from './transaction.ts';

/** A new exclusive or shared lease, wherever one is granted; its token is this commit's number. @param path in the checkout it is taken in */
export function newHold(
  { changes, agent, facts, next }: Granting,
  path: RepoPath,
  mode: Mode,
  ttl_ms: number,
): Hold {
  facts.requireJoined?.();
  return {
    agent: agent.id,
    mode,
    token: next,
    epoch: agent.epoch,
    since_wall_ms: facts.now.wall_ms,
    since_mono_ms: facts.now.mono_ms,
    boot: facts.now.boot,
    ttl_ms,
    ...(facts.machine_boot === undefined ? {} : { idle_ms: facts.policy.idle_ms }),
    ...(isTogether(changes)
      ? { at: checkoutAt(path) }
      : inRepository(path) !== path && { clone: checkoutAt(path) }),
  };
}

/** Only leases shared with the grant outlive it; all others on the path end. */
export function revoke(tx: Acting, path: RepoPath, yielded: readonly Hold[]): void {
  const { changes, agent: by } = tx;
  if (changes.path(path).holds.some(({ agent }) => agent !== by.id)) endYielded(tx, path, yielded);
}

/** Ends the leases that cannot coexist with a grant that creates none on the path; no sign of life revives them. */
export function keepOnly(tx: Acting, path: RepoPath, { keep, yielded }: Free): void {
  const { changes, agent } = tx;
  revoke(tx, path, yielded);
  const state = changes.path(path);
  const holds = state.holds.filter((hold) => hold.agent === agent.id || keep.includes(hold));
  if (holds.length < state.holds.length) setHolds(changes, path, { ...state, holds });
}
