/** Who is to call the user's `on_end` for an agent's end: one process at a time, and none once it was called. */
import { draftKey, type DraftState, isOver } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { sameProcess } from '../same-process.ts';
import { changesOver } from '../states.ts';
import type { Facts, ProcessMark } from '../types.ts';
import { type DraftAnswer, noDraft } from './draft-begin.ts';
import { record, type Step } from './transaction.ts';

/** `of` was about to call it; `by` takes its place, or it was called (`null`). Refused if another process was faster. */
export function callingOnEnd(
  view: View,
  state: DraftState,
  { of, by }: { readonly of: ProcessMark; readonly by: ProcessMark | null },
  facts: Facts,
): Step<DraftAnswer> {
  const { on_end_by = null } = state;
  if (!isOver(state) || on_end_by === null || !sameProcess(on_end_by, of)) return noDraft('ended', state);
  const draft: DraftState = { ...state, on_end_by: by };
  const changes = changesOver(view);
  changes.set(draftKey(draft.id), draft);
  record({ changes, agent: draft, facts }, 'draft', { phase: 'on_end' });
  return { records: changes.records, result: { draft, refused: null } };
}
