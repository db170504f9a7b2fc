/** Between two runs of an agent's session: the wait after an API failure, and the agent's checkout. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../core/attempt.ts';
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { runMark } from '../core/run-mark.ts';
import type { AgentFiles, Job } from './agent-files.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';
import { draftedWorktree } from './drafted-worktree.ts';
import { requireMine } from './still-mine.ts';
import { removeUnfinished } from './unfinished.ts';

const LOOK_MS = 500;

/**
 * Waits until the retry is due. Returns who asked for the agent's end in the meantime; `null` if it may continue.
 * @throws GuardError GUARD_ERR_AGENT if the agent has another supervisor
 */
export async function waitedOut(
  space: Pick<HarnessWorkspace, 'store' | 'facts'>,
  draft: DraftState,
): Promise<DraftState['kill']> {
  const { id, retry } = draft;
  const until = space.facts().now.mono_ms + (retry?.wait_ms ?? 0);
  for (;;) {
    requireMine(space, id, runMark(draft));
    const kill = attempt(() => draftOf(space, id)?.kill ?? null, null);
    const left_ms = until - space.facts().now.mono_ms;
    if (kill !== null || left_ms <= 0) return kill;
    await sleep(Math.min(LOOK_MS, left_ms));
  }
}

/**
 * The same checkout with its contents, or a new one if it was removed because it was empty. `null` if the agent has none.
 * @throws GuardError GUARD_ERR_WORKTREE; GUARD_ERR_AGENT if the agent has another supervisor
 */
export async function ownCheckout(
  space: HarnessWorkspace,
  job: Job,
  draft: DraftState,
  files: AgentFiles,
): Promise<WorktreeState | null> {
  const { worktree: plan } = job;
  if (plan === null) return null;
  const { worktree: had } = draft;
  const of = runMark(draft);
  requireMine(space, job.id, of);
  if (had?.is_unfinished === true) removeUnfinished(space, draft, had);
  else if (had?.kept === true) return whereItWas(had);
  return draftedWorktree(space, { ...job, worktree: plan, of }, files);
}

function whereItWas(had: WorktreeState): WorktreeState {
  const { dir } = had;
  if (existsSync(dir)) return { ...had, changed: null, setup_ms: 0 };
  throw new GuardError('GUARD_ERR_WORKTREE', `${dir} no longer exists.`, 'Its branch may still exist.', {
    dir,
  });
}
