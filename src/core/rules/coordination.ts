// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The rules of reservations, messages and negotiation, as a table. No hook but that of delivery needs any of them. */
import type { View } from '../ledger.ts';
import type { Facts, Revoked } from '../types.ts';
import { depart, type DepartEvent } from './depart.ts';
import { type DriftEvent, type DriftToldEvent, type Noted, noteDrift, tellDrift } from './drift.ts';
import type { Drifted } from '../drift.ts';
import { deliver, type Delivered, type DeliverEvent } from './deliver.ts';
import { type Fetched, type FetchEvent, fetchInbox } from './fetch.ts';
import type { Sent } from './mail.ts';
import { acknowledge, prefer, sendMessage } from './message.ts';
import type { AckEvent, PreferEvent, SendEvent } from './message.ts';
import { requestRelease, respond } from './negotiate.ts';
import type { Requested, RequestEvent, Responded, RespondEvent } from './negotiate.ts';
import { note, type NoticedEvent, noticesTold, type NoticesToldEvent } from './noticed.ts';
import { enterWorktree, type EnterWorktreeEvent } from './own-worktree.ts';
import { describeAgent, type DescribeEvent } from './profile.ts';
import { reserve, type ReserveEvent, type ReserveResult } from './reserve.ts';
import { type RevokedToldEvent, tellRevoked } from './revoke.ts';
import { releaseOver, unreserve } from './unreserve.ts';
import type { ReleasedOver, ReleaseOverEvent, Unreserved, UnreserveEvent } from './unreserve.ts';
import type { Step } from './transaction.ts';

export interface CoordinationRules {
  reserve: { event: ReserveEvent; result: readonly ReserveResult[] };
  unreserve: { event: UnreserveEvent; result: readonly Unreserved[] };
  'release.over': { event: ReleaseOverEvent; result: ReleasedOver };
  'message.send': { event: SendEvent; result: Sent };
  'message.fetch': { event: FetchEvent; result: Fetched };
  'message.ack': { event: AckEvent; result: boolean };
  'message.prefer': { event: PreferEvent; result: readonly string[] };
  'message.deliver': { event: DeliverEvent; result: Delivered };
  'negotiate.request': { event: RequestEvent; result: Requested };
  'negotiate.respond': { event: RespondEvent; result: Responded };
  'agent.describe': { event: DescribeEvent; result: boolean };
  'agent.depart': { event: DepartEvent; result: boolean };
  'revoked.told': { event: RevokedToldEvent; result: readonly Revoked[] };
  drift: { event: DriftEvent; result: readonly Noted[] };
  'drift.told': { event: DriftToldEvent; result: readonly Drifted[] };
  noticed: { event: NoticedEvent; result: null };
  'noticed.told': { event: NoticesToldEvent; result: null };
  'worktree.enter': { event: EnterWorktreeEvent; result: boolean };
}

type Table = {
  readonly [T in keyof CoordinationRules]: (
    view: View,
    event: CoordinationRules[T]['event'],
    facts: Facts,
  ) => Step<CoordinationRules[T]['result']>;
};

const TABLE: Table = {
  reserve,
  unreserve,
  'release.over': releaseOver,
  'message.send': sendMessage,
  'message.fetch': fetchInbox,
  'message.ack': acknowledge,
  'message.prefer': prefer,
  'message.deliver': deliver,
  'negotiate.request': requestRelease,
  'negotiate.respond': respond,
  'agent.describe': describeAgent,
  'agent.depart': depart,
  'revoked.told': tellRevoked,
  drift: noteDrift,
  'drift.told': tellDrift,
  noticed: note,
  'noticed.told': noticesTold,
  'worktree.enter': enterWorktree,
};

export function coordinate<T extends keyof CoordinationRules>(
  view: View,
  event: CoordinationRules[T]['event'] & { readonly type: T },
  facts: Facts,
): Step<CoordinationRules[T]['result']> {
  const type: T = event.type;
  return TABLE[type](view, event, facts);
}
