/** What became of a drafted agent's worktree after its end: merged or discarded. */
import { asDraftState, draftKey, type DraftState, isOver, type WorktreeSettled } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { changesOver } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import type { Who } from './agent.ts';
import { record, type Step } from './transaction.ts';

export interface SettleEvent {
  readonly type: 'draft.settle';
  readonly who: Who;
  readonly id: AgentId;
  readonly settled: WorktreeSettled;
}

/** Null: there is no such agent, it is not over, or it has no worktree any more. */
export function settleWorktree(view: View, event: SettleEvent, facts: Facts): Step<DraftState | null> {
  const { id, settled } = event;
  const state = asDraftState(view.get(draftKey(id)));
  if (state === undefined || !isOver(state) || state.worktree?.kept !== true)
    return { records: [], result: null };
  const next: DraftState = { ...state, worktree: { ...state.worktree, kept: false, settled } };
  const changes = changesOver(view);
  changes.set(draftKey(id), next);
  record({ changes, agent: state, facts }, 'draft', { phase: 'settle', ...settled });
  return { records: changes.records, result: next };
}
