/** The beginning of a drafted agent: whether it may be drafted, with which share, and what is recorded about it. */
import { inQueueOrder, judgeQueued, QUEUE, QUEUED_MAX, queueIn } from '../draft-queue.ts';
import type { DraftRefusal, DraftRefused, Drafts } from '../draft-verdict.ts';
import { asDraftState, draftKey, draftsIn, isOver, sessionAgent } from '../drafts.ts';
import type { Bounds, DraftState } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { changesOver } from '../states.ts';
import type { Facts } from '../types.ts';
import type { Who } from './who.ts';
import { claimedBy, type DraftBegin, newDraft } from './new-draft.ts';
import { presentIn } from './opened.ts';
import { record, type Step } from './transaction.ts';

export interface DraftAnswer {
  readonly draft: DraftState | null;
  readonly refused: DraftRefused | null;
  /** For `next`: queued agents that will never be started. */
  readonly ended?: readonly DraftState[];
  /** The agent that continues: its supervisor is to be started or to restart its client, or it is queued for that. */
  readonly goes_on?: DraftState;
}

export const noDraft = (
  why: DraftRefusal,
  draft: DraftState | null,
  more: Partial<DraftRefused> = {},
): Step<DraftAnswer> => ({
  records: [],
  result: { draft, refused: { why, limit: null, ...more } },
});

export const drafterOf = (view: View, who: Who): DraftState | undefined =>
  asDraftState(view.get(draftKey(sessionAgent(who.id))));

export function beginDraft(
  view: View,
  event: DraftBegin & { readonly who: Who },
  facts: Facts,
): Step<DraftAnswer> {
  const { agent, who, plan } = event;
  const known = asDraftState(view.get(draftKey(agent.id)));
  if (known !== undefined) return { records: [], result: { draft: known, refused: null } };
  const parent = drafterOf(view, who);
  if (parent !== undefined && (isOver(parent) || parent.kill !== null)) return noDraft('ended', null);
  if (mayOnlyLook(parent)) return noDraft('access', null);
  const depth = (parent?.depth ?? 0) + 1;
  const bounds = tighter(event.bounds, parent?.bounds);
  if (depth > bounds.depth) return noDraft('depth', null, { limit: bounds.depth });
  const others = draftsIn(view);
  const planned = plan === undefined ? undefined : others.find((one) => one.plan === plan && isDone(one));
  if (planned !== undefined) return noDraft('planned', planned, { agent: planned.id });
  const asked = newDraft({ ...event, bounds, depth, parent }, view, facts);
  const all = [...others, asked];
  const verdict = judgeQueued(asked, { all, now: facts.now });
  if ('refused' in verdict) return noDraft(verdict.refused.why, null, verdict.refused);
  const starts = 'share_usd' in verdict && isFirst(asked, { all, now: facts.now });
  const queue = queueIn(view.get(QUEUE));
  if (!starts && queue.length >= QUEUED_MAX) return noDraft('queue', null, { limit: QUEUED_MAX });
  const state: DraftState = starts ? claimedBy(asked, event.drafter, verdict.share_usd) : asked;
  const changes = changesOver(view);
  // It becomes an agent before its first event, so that its waits and verdicts have a state to refer to.
  const joined = presentIn(changes, agent, facts, view.next);
  changes.setAgent({ ...joined, drafted_by: who.id });
  changes.set(draftKey(state.id), state);
  if (!starts) changes.set(QUEUE, { agents: [...queue, state.id] });
  const told = { drafted_by: who.id, role: state.role, task: state.task, depth };
  record({ changes, agent: state, facts }, 'draft', { ...told, phase: starts ? 'begin' : 'queue' });
  return { records: changes.records, result: { draft: state, refused: null } };
}

/** The work need not be done again. */
const isDone = (draft: DraftState): boolean => !isOver(draft) || draft.status === 'completed';

/** No other agent that could start now comes before it. */
const isFirst = (draft: DraftState, drafts: Drafts): boolean =>
  inQueueOrder(drafts.all).find((one) => 'share_usd' in judgeQueued(one, drafts))?.id === draft.id;

/** A drafted agent's commands may read another configuration than its drafter's, so the tighter bounds apply. */
export const tighter = (own: Bounds, given: Bounds = own): Bounds => ({
  depth: Math.min(own.depth, given.depth),
  running: Math.min(own.running, given.running),
});
