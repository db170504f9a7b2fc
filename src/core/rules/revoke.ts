// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Leases that end without their holder's doing, of which the holder is notified once. */
import { isAlive, isHoldLive, isTurnGone } from '../alive.ts';
import type { View } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Facts, Hold, RepoPath, Revoked } from '../types.ts';
import { isHolder } from './lease.ts';
import type { Who } from './who.ts';
import { setHolds } from './holds.ts';
import { noteRevoked } from './note-revoked.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, type Step } from './transaction.ts';

/** Records the holders whose leases yielded to this agent, or expired earlier and now pass to it. */
export function endYielded(tx: Acting, path: RepoPath, yielded: readonly Hold[]): void {
  const { changes, agent: by, facts } = tx;
  for (const hold of lapsed(changes, path, by, facts)) take(tx, path, hold, 'expired');
  for (const hold of yielded) take(tx, path, hold, by.parent === hold.agent ? 'delegated' : 'idle');
}

/** Expired leases of others. Holders are not notified of what they gave up themselves. */
function lapsed(changes: Changes, path: RepoPath, by: AgentState, facts: Facts): Hold[] {
  return changes.path(path).holds.filter((hold) => {
    const holder = changes.agent(hold.agent);
    if (holder === undefined || hold.agent === by.id || isTurnGone(holder, facts)) return false;
    if (hold.command !== undefined) return false;
    if (holder.epoch !== hold.epoch || !isAlive(changes, hold.agent, facts)) return false;
    return !isHoldLive(changes, path, hold, facts);
  });
}

type Cause = 'delegated' | 'idle' | 'expired';

function take({ changes, agent: by, facts }: Acting, path: RepoPath, hold: Hold, cause: Cause): void {
  const state = changes.path(path);
  setHolds(changes, path, {
    ...state,
    holds: state.holds.filter((other) => other.token !== hold.token || other.agent !== hold.agent),
    queue: state.queue.filter((ticket) => ticket.agent !== hold.agent),
  });
  const lost = { path, to: by.id, cause: cause === 'delegated' ? 'subagent' : 'idle' } as const;
  noteRevoked(changes, hold.agent, lost, facts);
  const { token, agent } = hold;
  changes.record({ type: 'revoke', agent, ts_ms: facts.now.wall_ms, path, token, to: by.id, cause });
}

export interface RevokedToldEvent {
  readonly type: 'revoked.told';
  readonly who: Who;
}

/** Leases whose loss was not reported yet; marks it as reported. Those a write took back (`auto`) are skipped. */
export function tellRevoked(view: View, { who }: RevokedToldEvent, facts: Facts): Step<readonly Revoked[]> {
  const { revoked = [] } = changesOver(view).agent(who.id) ?? {};
  if (revoked.length === 0) return { records: [], result: [] };
  const tx = transactionOf(view, who, facts);
  const { changes, agent } = tx;
  changes.setAgent(withoutRevoked(agent));
  const lost = revoked.filter(({ path }) => !isHolder(changes, path, who.id, facts));
  return answer(tx, lost);
}

/** `paths` `null`: without any of them. */
export function withoutRevoked(agent: AgentState, paths: readonly RepoPath[] | null = null): AgentState {
  const { revoked = [], ...rest } = agent;
  const left = paths === null ? [] : revoked.filter(({ path }) => !paths.includes(path));
  return left.length === 0 ? rest : { ...rest, revoked: left };
}
