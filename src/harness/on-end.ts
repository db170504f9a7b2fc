/** Calls the user's own command when an agent has ended, with the facts in its environment. */
import { loadOnEnd } from '../config/on-end.ts';
import type { DraftState } from '../core/drafts.ts';
import { attempt } from '../core/attempt.ts';
import { unlessHindered } from '../core/is-busy.ts';
import type { ProcessMark } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';
import { startDetached } from '../repo/start-detached.ts';
import { inherited } from './client-call.ts';
import { noteTold } from './told.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';

/**
 * This process, if there is a command that it is to call for an end it records. A configuration that cannot be read must
 * not keep an end from being recorded. It may name a command; once the file is corrected, the next process that looks calls it.
 */
export const onEndBy = ({ repo, env }: HarnessWorkspace): ProcessMark | null =>
  attempt(() => loadOnEnd({ repo, env }), null)?.length === 0 ? null : thisProcess();

function thisProcess(): Exclude<DraftState['on_end_by'], undefined> {
  const mark = markProcess(process.pid);
  const uid = process.getuid?.();
  return mark === null || uid === undefined ? mark : { ...mark, uid };
}

/** The process that recorded the end died before it could. Does nothing if another process is faster. */
export function callMissed(space: HarnessWorkspace, { id, session, on_end_by: of }: DraftState): void {
  const { repo, env } = space;
  const by = attempt(() => loadOnEnd({ repo, env }), []).length === 0 ? null : thisProcess();
  if (of == null || by === null) return;
  const { draft, refused } = space.run({ type: 'draft', phase: 'on_end', who: whoOf(id, session), of, by });
  if (refused === null && draft !== null) callOnEnd(space, draft);
}

/** Nothing waits for the command or depends on it. It may be called twice if this process dies right after the call. */
export function callOnEnd(space: HarnessWorkspace, draft: DraftState): void {
  call(space, draft);
  space.onEndCalled?.(draft.id);
  unlessHindered(() => noteCalled(space, draft));
}

/** Otherwise others would call it again once this process has ended. */
export function noteCalled(space: HarnessWorkspace, { id, session, on_end_by: of }: DraftState): void {
  if (of != null) space.run({ type: 'draft', phase: 'on_end', who: whoOf(id, session), of, by: null });
}

function call({ repo, env, root }: HarnessWorkspace, draft: DraftState): void {
  const program = loadOnEnd({ repo, env });
  if (program.length === 0) return;
  const pid = startDetached(program, {
    cwd: root,
    env: { ...inherited(env), ...variablesOf(draft) },
    failed: () => undefined,
  });
  if (pid !== undefined) attempt(() => noteTold(repo.state_dir, pid), undefined);
}

function variablesOf({ id, role, task, status, reason, needs, result }: DraftState): Record<string, string> {
  return {
    GUARD_ENDED_AGENT: id,
    GUARD_ENDED_ROLE: role,
    GUARD_ENDED_TASK: task,
    GUARD_ENDED_STATUS: status,
    GUARD_ENDED_REASON: reason ?? '',
    GUARD_ENDED_NEEDS: needs == null ? '' : JSON.stringify(needs),
    GUARD_ENDED_SUMMARY: result?.summary ?? '',
  };
}
