/** One agent's part of a task's history, from what the ledger knows of it. Pure. */
import type { DraftState } from '../core/drafts.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { Job } from './agent-files.ts';
import type { Dispatch } from './context.ts';

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

export function withEnd(dispatch: Dispatch, draft: DraftState): Dispatch {
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
