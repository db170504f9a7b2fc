/** The end of an agent, put on record: in the ledger, and in its task's history. */
import type { DraftState, Ending } from '../core/drafts.ts';
import { rfc3339 } from '../core/time.ts';
import type { Dispatch } from './context.ts';
import type { Job } from './agent-files.ts';
import type { Site } from './site.ts';
import { whoOf } from './site.ts';

/** Null: somebody else was first. */
export function recordEnd(site: Site, id: string, session: string, ending: Ending): DraftState | null {
  const { draft, refused } = site.run({ phase: 'exit', who: whoOf(id, session), ...ending });
  if (refused !== null || draft === null) return null;
  const known = site.tasks.dispatch(draft.task, id);
  if (known !== null) site.tasks.put(draft.task, withEnd(known, draft));
  return draft;
}

function withEnd(dispatch: Dispatch, draft: DraftState): Dispatch {
  return {
    ...dispatch,
    ended: rfc3339(draft.ended_wall_ms ?? draft.started_wall_ms),
    status: draft.status,
    reason: draft.reason,
    result: draft.result,
    last_output: draft.last_output,
    changed: draft.worktree?.changed ?? null,
  };
}

export const dispatchOf = (job: Job, started_wall_ms: number): Dispatch => ({
  agent: job.id,
  role: job.role,
  drafted_by: job.drafted_by,
  prompt: job.prompt,
  started: rfc3339(started_wall_ms),
  ended: null,
  status: null,
  reason: null,
  result: null,
  last_output: '',
  changed: null,
});
