/** Takes the next agent that can be started out of the queue, for any caller, and puts it back if that start failed. */
import { inQueueOrder, judgeQueued, QUEUE, queueIn } from '../draft-queue.ts';
import { draftKey, draftsIn, type DraftState } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { neverBegan } from '../queue-words.ts';
import { changesOver } from '../states.ts';
import type { Facts, ProcessMark } from '../types.ts';
import { letGo } from './agent.ts';
import { type DraftAnswer, noDraft } from './draft-begin.ts';
import { endDraft, takenOut, unbegun } from './draft-end.ts';
import { given } from './go-on.ts';
import { claimedBy } from './new-draft.ts';
import { record, type Step } from './transaction.ts';

export interface NextWord {
  /** `null` if the starting process is not known, and therefore neither is its machine. */
  readonly starter: ProcessMark | null;
  /** See `Ending`. */
  readonly on_end_by?: ProcessMark | null;
}

/** Queued agents that can never be started are ended. */
export function startNext(
  view: View,
  { starter, on_end_by = null }: NextWord,
  facts: Facts,
): Step<DraftAnswer> {
  if (queueIn(view.get(QUEUE)).length === 0) return { records: [], result: { draft: null, refused: null } };
  const changes = changesOver(view);
  const ended: DraftState[] = [];
  let all: readonly DraftState[] = draftsIn(view);
  const answer = (draft: DraftState | null): Step<DraftAnswer> => ({
    records: changes.records,
    result: { draft, refused: null, ended },
  });
  for (const draft of inQueueOrder(all)) {
    const verdict = judgeQueued(draft, { all, now: facts.now });
    if ('refused' in verdict) {
      const reason = neverBegan(verdict.refused, all);
      const over = endDraft({ changes, facts, next: view.next }, draft, {
        ...unbegun(draft, { status: 'refused', reason }),
        on_end_by,
      });
      ended.push(over);
      all = all.map((one) => (one.id === over.id ? over : one));
    } else if ('share_usd' in verdict && draft.queued?.machine === (starter?.machine ?? null)) {
      const state: DraftState = {
        ...claimedBy(draft, starter, verdict.share_usd),
        ...beginningOf(draft, facts),
      };
      changes.set(draftKey(state.id), state);
      takenOut(changes, state.id);
      record({ changes, agent: state, facts }, 'draft', { phase: 'next', starts: state.queued?.starts });
      return answer(state);
    }
  }
  return answer(null);
}

/** The beginning of its first run, or of a later one with all messages received meanwhile. */
const beginningOf = ({ dispatch, unheard }: DraftState, { now }: Facts): Partial<DraftState> => ({
  started_mono_ms: now.mono_ms,
  ...(dispatch === undefined
    ? { started_wall_ms: now.wall_ms }
    : { begun_wall_ms: now.wall_ms, unheard: given(unheard) }),
});

/** The process that took it out is gone and its client never began, so it gets its place in the queue back. */
export function requeue(view: View, state: DraftState, starts: number, facts: Facts): Step<DraftAnswer> {
  const { queued } = state;
  const is_unmade = state.worktree?.is_unfinished === true;
  const is_waiting =
    queued?.is_claimed === true || (state.status === 'starting' && (state.retry != null || is_unmade));
  if (queued === undefined || !is_waiting || queued.starts !== starts || state.kill !== null)
    return noDraft('ended', state);
  const back: DraftState = {
    ...state,
    status: 'queued',
    share_usd: null,
    supervisor: null,
    queued: { ...queued, is_claimed: false },
    ...(is_unmade ? { worktree: null, doing: null } : {}),
  };
  const changes = changesOver(view);
  changes.set(draftKey(back.id), back);
  const agent = changes.agent(back.id);
  // It may have died while it held its turn to create a worktree.
  if (is_unmade && agent !== undefined) changes.setAgent(letGo(changes, agent));
  changes.set(QUEUE, { agents: [...queueIn(view.get(QUEUE)), back.id] });
  record({ changes, agent: back, facts }, 'draft', { phase: 'requeue', starts });
  return { records: changes.records, result: { draft: back, refused: null } };
}
