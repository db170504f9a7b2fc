/**
 * The only place where policy is applied: `(state, event, facts) -> records and a result`. Hooks, the command line and
 * the property tests all use this table, so they cannot disagree.
 */
import type { View } from './ledger.ts';
import { acquire } from './rules/acquire.ts';
import { detached, noteAwait } from './rules/await.ts';
import { beginCall } from './rules/calls.ts';
import { beginCommand } from './rules/command-begin.ts';
import { endCommand } from './rules/command-end.ts';
import { drafting } from './rules/drafting.ts';
import { release, releaseAllLeases, unwait } from './rules/release.ts';
import { coordinate, type CoordinationRules } from './rules/coordination.ts';
import type { Step } from './rules/transaction.ts';
import { shadowLocks } from './rules/shadow-locks.ts';
import { bePresent, endTurn, leaveTurn, noteBackground, startTurn } from './rules/turn.ts';
import { beginWrite } from './rules/write-begin.ts';
import { endOpen, endWrite } from './rules/write-end.ts';
import type { Facts } from './types.ts';

const RULES = {
  'agent.present': bePresent,
  'agent.await': noteAwait,
  'agent.detached': detached,
  'agent.leave': leaveTurn,
  'turn.start': startTurn,
  'turn.end': endTurn,
  background: noteBackground,
  'write.begin': beginWrite,
  'write.end': endWrite,
  'op.end': endOpen,
  'call.begin': beginCall,
  'command.begin': beginCommand,
  'command.end': endCommand,
  'lock.acquire': acquire,
  'lock.release': release,
  'lock.release_all': releaseAllLeases,
  'lock.unwait': unwait,
  'lock.shadow': shadowLocks,
  draft: drafting,
};

type Table = typeof RULES & CoordinationRules;

/** Each event type with the result of its rule. */
export type Rules = {
  readonly [T in keyof Table]: {
    readonly event: Parameters<Table[T]>[1];
    readonly result: ReturnType<Table[T]>['result'];
  };
};

export type EventType = keyof Rules;
export type EventOf<T extends EventType> = Rules[T]['event'] & { readonly type: T };

type Rule<T extends EventType> = (view: View, event: EventOf<T>, facts: Facts) => Step<Rules[T]['result']>;

export function decide<T extends EventType>(
  view: View,
  event: EventOf<T>,
  facts: Facts,
): Step<Rules[T]['result']> {
  const common: Readonly<Record<string, unknown>> = RULES;
  return ((common[event.type] ?? coordinate) as Rule<T>)(view, event, facts);
}
