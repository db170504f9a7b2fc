/** Calls the user's own command when an agent has ended, with the facts in its environment. */
import { spawn } from 'node:child_process';
import { loadOnEnd } from '../config/on-end.ts';
import type { DraftState } from '../core/drafts.ts';
import { attempt } from '../core/attempt.ts';
import { inherited } from './client-call.ts';
import { noteTold } from './told.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** Nothing waits for the command or depends on it. */
export function callOnEnd({ repo, env, root }: HarnessWorkspace, draft: DraftState): void {
  const [program, ...args] = loadOnEnd({ repo, env });
  if (program === undefined) return;
  const call = spawn(program, args, {
    cwd: root,
    env: { ...inherited(env), ...variablesOf(draft) },
    stdio: 'ignore',
    detached: true,
  });
  call.on('error', () => undefined);
  const { pid } = call;
  if (pid !== undefined) attempt(() => noteTold(repo.state_dir, pid), undefined);
  call.unref();
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
