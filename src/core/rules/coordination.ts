// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The rules of reservations, messages and negotiation, as a table. Of the hooks, only message delivery needs them. */
import type { View } from '../ledger.ts';
import type { Facts } from '../types.ts';
import { beat, leaveMachine } from './beat.ts';
import { depart } from './depart.ts';
import { noteDrift, tellDrift } from './drift.ts';
import { deliver } from './deliver.ts';
import { fetchInbox } from './fetch.ts';
import { acknowledge, prefer, sendMessage } from './message.ts';
import { requestRelease, respond } from './negotiate.ts';
import { note, noticesTold } from './noticed.ts';
import { enterWorktree } from './own-worktree.ts';
import { describeAgent } from './profile.ts';
import { reserve } from './reserve.ts';
import { tellRevoked } from './revoke.ts';
import { takeBack } from './take-back.ts';
import { releaseOver, unreserve } from './unreserve.ts';
import type { Step } from './transaction.ts';

const TABLE = {
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
  'lock.take_back': takeBack,
  'agent.describe': describeAgent,
  'agent.depart': depart,
  'machine.beat': beat,
  'machine.leave': leaveMachine,
  'revoked.told': tellRevoked,
  drift: noteDrift,
  'drift.told': tellDrift,
  noticed: note,
  'noticed.told': noticesTold,
  'worktree.enter': enterWorktree,
};

export type CoordinationRules = typeof TABLE;

export function coordinate(
  view: View,
  event: { readonly type: keyof CoordinationRules },
  facts: Facts,
): Step<unknown> {
  const rule = TABLE[event.type] as (view: View, event: object, facts: Facts) => Step<unknown>;
  return rule(view, event, facts);
}
