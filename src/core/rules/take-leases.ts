// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Enforcement `auto`: the first write takes the lease. */
import type { RepoPath } from '../types.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim, isReserved } from './lease.ts';
import type { Granting } from './transaction.ts';

export function takeLeases(granting: Granting, targets: readonly { readonly path: RepoPath }[]): void {
  const { draft, agent, facts, next } = granting;
  const taken: RepoPath[] = [];
  for (const { path } of targets) {
    const claimed = claim(granting, path, 'exclusive');
    if (claimed.verdict !== 'free' || isReserved(claimed)) continue;
    revoke(granting, path, claimed.yielded);
    const hold = newHold(granting, 'exclusive', facts.policy.ttl_ms);
    const state = draft.path(path);
    const queue = state.queue.filter((ticket) => ticket.agent !== agent.id);
    setHolds(draft, path, { ...state, holds: [...claimed.keep, hold], queue });
    taken.push(path);
  }
  if (taken.length === 0) return;
  draft.record({
    type: 'hold',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    paths: taken,
    mode: 'exclusive',
    token: next,
    auto: true,
  });
}
