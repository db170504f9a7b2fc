/** Records the end of an agent in the ledger and in its task's history. */
import { type DraftState, type Ending, isOver } from '../core/drafts.ts';
import { attempt } from '../core/attempt.ts';
import { takenUp, withEnd } from './history.ts';
import { callOnEnd } from './on-end.ts';
import { draftOf, type HarnessWorkspace, whoOf } from './workspace.ts';

/** Returns its next run, started or queued; `null` if it has ended. */
export function recordEnd(
  space: HarnessWorkspace,
  id: string,
  session: string,
  ending: Ending,
): DraftState | null {
  const who = whoOf(id, session);
  const { draft, refused, goes_on = null } = space.run({ type: 'draft', phase: 'exit', who, ...ending });
  try {
    writeHistory(space, id, draft);
    if (goes_on !== null) space.tasks.put(goes_on.task, takenUp(goes_on));
  } catch {
    // The ledger has it, and guard reads the history together with the ledger.
  }
  if (refused === null && draft !== null && goes_on === null)
    attempt(() => callOnEnd(space, draft), undefined);
  return goes_on;
}

/** Writes the end of an agent to its task's files, if they lack it. */
export function writeHistory(space: HarnessWorkspace, id: string, draft = draftOf(space, id)): void {
  if (draft === null || !isOver(draft)) return;
  const known = space.tasks.dispatch(draft.task, { agent: id, nth: draft.dispatch ?? 1 });
  if (known !== null && known.ended === null) space.tasks.put(draft.task, withEnd(known, draft));
}
