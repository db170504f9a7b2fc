// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Enforcement `auto`: the first write takes the lease. */
import { leaseIn } from '../lease-scope.ts';
import type { RepoPath } from '../types.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim, isReserved } from './lease.ts';
import { type Granting, record } from './transaction.ts';

export function takeLeases(tx: Granting, targets: readonly { readonly path: RepoPath }[]): void {
  const { changes, agent, facts, next } = tx;
  const taken: RepoPath[] = [];
  for (const { path: own } of targets) {
    const path = leaseIn(changes, own);
    const claimed = claim(tx, path, 'exclusive');
    if (claimed.verdict !== 'free' || isReserved(claimed)) continue;
    revoke(tx, path, claimed.yielded);
    const hold = newHold(tx, own, 'exclusive', facts.policy.ttl_ms);
    const state = changes.path(path);
    const queue = state.queue.filter((ticket) => ticket.agent !== agent.id);
    setHolds(changes, path, { ...state, holds: [...claimed.keep, hold], queue });
    taken.push(path);
  }
  if (taken.length === 0) return;
  record(tx, 'hold', { paths: taken, mode: 'exclusive', token: next, auto: true });
}
