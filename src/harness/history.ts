/** One agent's part of a task's history, from the ledger's record of it. Pure. */
import type { DraftState } from '../core/drafts.ts';
import { runBegan } from '../core/run-age.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { Job } from './agent-files.ts';
import type { Dispatch } from './context.ts';

export function dispatchOf(
  { id, role, drafted_by, prompt }: Pick<Job, 'id' | 'role' | 'drafted_by' | 'prompt'>,
  started_wall_ms: number,
): Dispatch {
  const open = { ended: null, status: null, reason: null, result: null, last_output: '', changed: null };
  return { agent: id, role, drafted_by, prompt, started: rfc3339(started_wall_ms), ...open };
}

/** A later run of the same session: its prompt is the messages that were sent to it. */
export function takenUp({ unheard = [], retry, ...draft }: DraftState): Dispatch {
  const { id, role, drafted_by, dispatch = 1 } = draft;
  const prompt =
    unheard.length > 0
      ? unheard.map(({ text }) => text).join('\n\n')
      : `Again after an API that failed (retry ${String(retry?.count ?? 1)}).`;
  const by = unheard.at(-1)?.by ?? drafted_by;
  const asked = dispatchOf({ ...{ id, role, prompt, drafted_by: by } }, runBegan(draft));
  return { ...asked, nth: dispatch };
}

export function withEnd(dispatch: Dispatch, draft: DraftState): Dispatch {
  const { status, reason, result, last_output, worktree, needs = null, dispatch: newest = 1 } = draft;
  // The ledger has only the newest run.
  if (newest > (dispatch.nth ?? 1)) return { ...dispatch, ended: rfc3339(draft.begun_wall_ms ?? 0) };
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
