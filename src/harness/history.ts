/** One agent's part of a task's history, from what the ledger knows of it. Pure. */
import type { DraftState } from '../core/drafts.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { Job } from './agent-files.ts';
import type { Dispatch } from './context.ts';

export function dispatchOf({ id, role, drafted_by, prompt }: Job, started_wall_ms: number): Dispatch {
  const open = { ended: null, status: null, reason: null, result: null, last_output: '', changed: null };
  return { agent: id, role, drafted_by, prompt, started: rfc3339(started_wall_ms), ...open };
}

export function withEnd(dispatch: Dispatch, draft: DraftState): Dispatch {
  const { status, reason, result, last_output, worktree, needs = null } = draft;
  const ended = rfc3339(draft.ended_wall_ms ?? draft.started_wall_ms);
  return {
    ...dispatch,
    ended,
    status,
    reason,
    result,
    last_output,
    changed: worktree?.changed ?? null,
    needs,
  };
}
