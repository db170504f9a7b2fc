// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Enforcement `auto`: the first write takes the lease. */
import type { Lsn } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts, RepoPath } from '../types.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim, isReserved } from './lease.ts';

interface Taker {
  readonly draft: Draft;
  readonly agent: AgentState;
  readonly facts: Facts;
}

export function takeLeases(
  { draft, agent, facts }: Taker,
  targets: readonly { readonly path: RepoPath }[],
  next: Lsn,
): void {
  const taken: RepoPath[] = [];
  for (const { path } of targets) {
    const claimed = claim(draft, path, agent, 'exclusive', facts);
    if (claimed.verdict !== 'free' || isReserved(claimed)) continue;
    revoke(draft, path, claimed.yielded, agent, facts);
    const hold = newHold(agent, 'exclusive', facts.policy.ttl_ms, facts, next);
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
