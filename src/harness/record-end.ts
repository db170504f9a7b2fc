/** The end of an agent, put on record: in the ledger, and in its task's history. */
import { type DraftState, type Ending, isOver } from '../core/drafts.ts';
import { attempt } from '../core/attempt.ts';
import { withEnd } from './history.ts';
import { callOnEnd } from './on-end.ts';
import { draftOf, type HarnessWorkspace, whoOf } from './workspace.ts';

/** Null: somebody else was first. */
export function recordEnd(
  space: HarnessWorkspace,
  id: string,
  session: string,
  ending: Ending,
): DraftState | null {
  const who = whoOf(id, session);
  const { draft, refused } = space.run({ type: 'draft', phase: 'exit', who, ...ending });
  try {
    writeHistory(space, id);
  } catch {
    // The ledger has it, and whoever reads the history through guard is told what the ledger knows.
  }
  if (refused !== null || draft === null) return null;
  attempt(() => callOnEnd(space, draft), undefined);
  return draft;
}

/** The end of an agent in its task's files, if they do not have it yet. */
export function writeHistory(space: HarnessWorkspace, id: string): void {
  const draft = draftOf(space, id);
  if (draft === null || !isOver(draft)) return;
  const known = space.tasks.dispatch(draft.task, id);
  if (known !== null && known.ended === null) space.tasks.put(draft.task, withEnd(known, draft));
}
