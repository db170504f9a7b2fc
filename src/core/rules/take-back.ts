// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A person ends an agent's leases; the agent is notified. Never during a write in flight, which needs its lease. */
import { isWriting } from '../alive.ts';
import { leaseIn } from '../lease-scope.ts';
import type { View } from '../ledger.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { dropHolds } from './holds.ts';
import { isHolder } from './lease.ts';
import { noteRevoked } from './note-revoked.ts';
import { transactionOf } from './opened.ts';
import { answer, type Step } from './transaction.ts';

interface TakeBackEvent {
  readonly type: 'lock.take_back';
  /** A person. */
  readonly who: Who;
  readonly of: AgentId;
  readonly paths: readonly RepoPath[];
}

interface TakenBack {
  readonly taken: readonly RepoPath[];
  /** Left to the agent, because it is writing them. */
  readonly writing: readonly RepoPath[];
}

/** Paths that the agent does not hold are in neither list; if an agent calls this, both are empty. */
export function takeBack(view: View, event: TakeBackEvent, facts: Facts): Step<TakenBack> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const paths = [...new Set(event.paths.map((path) => leaseIn(changes, path)))];
  const held =
    agent.kind === 'person' ? paths.filter((path) => isHolder(changes, path, event.of, facts)) : [];
  const writing = held.filter((path) => isWriting(changes, path, event.of, facts));
  const taken = held.filter((path) => !writing.includes(path));
  for (const path of taken) {
    dropHolds(changes, path, event.of);
    noteRevoked(changes, event.of, { path, to: agent.id, cause: 'person' }, facts);
    changes.record({
      ...{ type: 'revoke', agent: event.of, ts_ms: facts.now.wall_ms },
      ...{ path, to: agent.id, cause: 'person' },
    });
  }
  return answer(tx, { taken, writing });
}
