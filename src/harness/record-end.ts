/** The end of an agent, put on record: in the ledger, and in its task's history. */
import { isOver } from '../core/drafts.ts';
import type { DraftState, Ending } from '../core/drafts.ts';
import { withEnd } from './history.ts';
import { draftOf, whoOf } from './site.ts';
import type { Site } from './site.ts';

/** Null: somebody else was first. */
export function recordEnd(site: Site, id: string, session: string, ending: Ending): DraftState | null {
  const { draft, refused } = site.run({ phase: 'exit', who: whoOf(id, session), ...ending });
  try {
    writeHistory(site, id);
  } catch {
    // The ledger has it, and whoever reads the history through guard is told what the ledger knows.
  }
  return refused === null ? draft : null;
}

/** The end of an agent in its task's files, if they do not have it yet. */
export function writeHistory(site: Site, id: string): void {
  const draft = draftOf(site, id);
  if (draft === null || !isOver(draft)) return;
  const known = site.tasks.dispatch(draft.task, id);
  if (known !== null && known.ended === null) site.tasks.put(draft.task, withEnd(known, draft));
}
