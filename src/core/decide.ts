/**
 * The only place where policy lives: `(state, event, facts) -> records and a result`.
 * Hooks, command line and the property tests all go through this table, so they cannot disagree.
 */
import type { View } from './ledger.ts';
import { acquire, type AcquireEvent, type AcquireResult } from './rules/acquire.ts';
import { type AwaitEvent, detached, type DetachedEvent, noteAwait } from './rules/await.ts';
import { beginCall, type CallBeginEvent } from './rules/calls.ts';
import { beginCommand } from './rules/command-begin.ts';
import { type CommandEndEvent, endCommand, type LeftFile } from './rules/command-end.ts';
import type { CommandBeginEvent, CommandVerdict } from './rules/command-event.ts';
import { type DraftAnswer, type DraftEvent, drafting } from './rules/drafting.ts';
import { release, releaseAllLeases, unwait } from './rules/release.ts';
import type { ReleaseAllEvent, ReleaseEvent, ReleaseResult, UnwaitEvent } from './rules/release.ts';
import { coordinate, type CoordinationRules } from './rules/coordination.ts';
import type { Step } from './rules/transaction.ts';
import { type ShadowEvent, shadowLocks } from './rules/shadow-locks.ts';
import type { Deadlock } from './rules/deadlock.ts';
import { bePresent, endTurn, leaveTurn, noteBackground, startTurn } from './rules/turn.ts';
import type {
  BackgroundEvent,
  LeaveEvent,
  PresentEvent,
  TurnEndEvent,
  TurnStarted,
  TurnStartEvent,
} from './rules/turn.ts';
import { beginWrite, type WriteBeginEvent, type WriteVerdict } from './rules/write-begin.ts';
import { endOpen, endWrite } from './rules/write-end.ts';
import type { OpEndEvent, WriteEndEvent, WriteOutcome } from './rules/write-end.ts';
import type { AgentState, Facts } from './types.ts';

/** Each event with what its rule answers. */
export interface Rules extends CoordinationRules {
  'agent.present': { event: PresentEvent; result: AgentState };
  'agent.await': { event: AwaitEvent; result: Deadlock | null };
  'agent.detached': { event: DetachedEvent; result: null };
  'agent.leave': { event: LeaveEvent; result: AgentState };
  'turn.start': { event: TurnStartEvent; result: TurnStarted };
  'turn.end': { event: TurnEndEvent; result: AgentState };
  background: { event: BackgroundEvent; result: null };
  'write.begin': { event: WriteBeginEvent; result: WriteVerdict };
  'write.end': { event: WriteEndEvent; result: readonly WriteOutcome[] };
  'op.end': { event: OpEndEvent; result: null };
  'call.begin': { event: CallBeginEvent; result: null };
  'command.begin': { event: CommandBeginEvent; result: CommandVerdict };
  'command.end': { event: CommandEndEvent; result: readonly LeftFile[] };
  'lock.acquire': { event: AcquireEvent; result: readonly AcquireResult[] };
  'lock.release': { event: ReleaseEvent; result: readonly ReleaseResult[] };
  'lock.release_all': { event: ReleaseAllEvent; result: null };
  'lock.unwait': { event: UnwaitEvent; result: null };
  'lock.shadow': { event: ShadowEvent; result: readonly Deadlock[] };
  draft: { event: DraftEvent; result: DraftAnswer };
}

export type EventType = keyof Rules;
export type EventOf<T extends EventType> = Rules[T]['event'] & { readonly type: T };

type Rule<T extends EventType> = (
  view: View,
  event: Rules[T]['event'],
  facts: Facts,
) => Step<Rules[T]['result']>;

type RuleTable = { readonly [T in Exclude<EventType, keyof CoordinationRules>]: Rule<T> };

const RULES: RuleTable = {
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

export function decide<T extends EventType>(
  view: View,
  event: EventOf<T>,
  facts: Facts,
): Step<Rules[T]['result']> {
  const common: Readonly<Record<string, unknown>> = RULES;
  return ((common[event.type] ?? coordinate) as Rule<T>)(view, event, facts);
}
