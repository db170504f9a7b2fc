/** Records the end of an agent in the ledger and in its task's history. */
import { type DraftState, type Ending, isOver } from '../core/drafts.ts';
import { attempt } from '../core/attempt.ts';
import { sameProcess } from '../core/same-process.ts';
import { runMark } from '../core/run-mark.ts';
import { markProcess } from '../repo/process.ts';
import { takenUp, withEnd } from './history.ts';
import { callOnEnd, onEndBy } from './on-end.ts';
import { draftOf, type HarnessWorkspace, markHere, whoOf } from './workspace.ts';

/**
 * Returns its next run, started or queued; `null` if it has ended, or has another supervisor.
 * @param run as the caller knows it
 */
export function recordEnd(space: HarnessWorkspace, run: DraftState, ending: Ending): DraftState | null {
  const { id, session } = run;
  const event = { type: 'draft', phase: 'exit', who: whoOf(id, session), of: runMark(run) } as const;
  const { draft, refused, goes_on = null } = space.run({ ...event, ...ending, on_end_by: onEndBy(space) });
  try {
    writeHistory(space, id, draft);
    if (goes_on !== null) space.tasks.put(goes_on.task, takenUp(goes_on));
  } catch {
    // The ledger has it, and guard reads the history together with the ledger.
  }
  if (draft !== null && goes_on === null && (refused === null || isOwnEnd(space, draft)))
    attempt(() => callOnEnd(space, draft), undefined);
  return goes_on;
}

/** This process has recorded it before, but the answer was lost with the connection to the ledger. */
function isOwnEnd(space: HarnessWorkspace, { on_end_by }: DraftState): boolean {
  const own = markProcess(process.pid);
  return on_end_by != null && own !== null && sameProcess(markHere(space, on_end_by), own);
}

/** Writes the end of an agent to its task's files, if they lack it. */
export function writeHistory(space: HarnessWorkspace, id: string, draft = draftOf(space, id)): void {
  if (draft === null || !isOver(draft)) return;
  const known = space.tasks.dispatch(draft.task, { agent: id, nth: draft.dispatch ?? 1 });
  if (known !== null && known.ended === null) space.tasks.put(draft.task, withEnd(known, draft));
}
