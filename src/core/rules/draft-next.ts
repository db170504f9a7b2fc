/** Out of the queue: the next agent that can be started, for whoever asks; and back into it, where nothing came of that. */
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

/**
 * Who was queued and can never be started is ended.
 * @param starter null: nobody's process is known, as little as the machine that it could start on
 */
export function startNext(
  view: View,
  { starter }: { readonly starter: ProcessMark | null },
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
      const over = endDraft(
        { changes, facts, next: view.next },
        draft,
        unbegun(draft, { status: 'refused', reason }),
      );
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

/** Its own, or that of a later run, with all that was said to it meanwhile. */
const beginningOf = ({ dispatch, unheard }: DraftState, { now }: Facts): Partial<DraftState> => ({
  started_mono_ms: now.mono_ms,
  ...(dispatch === undefined
    ? { started_wall_ms: now.wall_ms }
    : { begun_wall_ms: now.wall_ms, unheard: given(unheard) }),
});

/** Whoever took it out is gone, and its client never began: it has its place again. */
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
  // It may have died in its turn to make a worktree.
  if (is_unmade && agent !== undefined) changes.setAgent(letGo(changes, agent));
  changes.set(QUEUE, { agents: [...queueIn(view.get(QUEUE)), back.id] });
  record({ changes, agent: back, facts }, 'draft', { phase: 'requeue', starts });
  return { records: changes.records, result: { draft: back, refused: null } };
}
