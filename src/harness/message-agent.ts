/** Sends a message to an agent; it is recorded on return. An ended agent is resumed for it, once, even if several write to it. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { unlessFull } from '../core/is-busy.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import type { QueuePlace } from '../core/queue-words.ts';
import { GuardError } from '../core/error.ts';
import { roleRefusal } from '../core/policy/role.ts';
import type { Who } from '../core/rules/who.ts';
import { findClient } from '../install/client.ts';
import { markProcess } from '../repo/process.ts';
import { agentFiles, type Job, readJob, writeJob } from './agent-files.ts';
import { agentMeant } from './agent-meant.ts';
import { resuming } from './client-call.ts';
import { clientProgram, requireFit } from './client-fit.ts';
import { failedToStart } from './ending.ts';
import { takenUp } from './history.ts';
import { moveQueue, putBack } from './move-queue.ts';
import { isOutOfSpace } from './disk-faults.ts';
import { queuePlaceOf } from './queue-place.ts';
import { recordEnd } from './record-end.ts';
import { reconcile } from './reconcile.ts';
import { refusal } from './refusal.ts';
import { start } from './start.ts';
import { jobOf, readWish } from './wish.ts';
import type { HarnessWorkspace } from './workspace.ts';

export interface Messaged {
  readonly agentId: string;
  /** `sent`: it is at work or queued, and reads it at its next step. `resumed`: it had ended; `queued`: that, without a place. */
  readonly status: 'sent' | 'resumed' | 'queued';
  readonly taskSlug: string;
  /** Absent if it is at work. */
  readonly queued?: QueuePlace;
}

/** @throws GuardError GUARD_ERR_AGENT if it does not exist, may not be written to, or has nothing left to continue with */
export function messageAgent(space: HarnessWorkspace, who: Who, given: string, text: string): Messaged {
  reconcile(space);
  const known = agentMeant(space, given);
  const job = isOver(known) ? jobAnew(space, known) : null;
  const { draft, refused, goes_on } = space.run({
    type: 'draft',
    phase: 'say',
    who,
    id: known.id,
    said: { id: randomUUID(), text },
    bounds: space.harness.bounds,
    supervisor: markProcess(process.pid),
  });
  if (draft === null || refused !== null) {
    if (refused?.why === 'access')
      throw new GuardError('GUARD_ERR_AGENT', ...roleRefusal('message'), { why: 'access', agent: known.id });
    throw refusal(refused ?? { why: 'unknown', limit: null });
  }
  const told = { agentId: draft.id, taskSlug: draft.task };
  if (goes_on === undefined) return { ...told, status: 'sent' };
  try {
    writeJob(agentFiles(space.repo.state_dir, draft.session), job ?? jobAnew(space, known));
    if (goes_on.status === 'queued') space.tasks.put(draft.task, takenUp(goes_on));
    else start(space, goes_on);
  } catch (error) {
    if (!isOutOfSpace(error)) {
      recordEnd(space, goes_on, failedToStart(error));
      throw error;
    }
    // The message is recorded, so the agent gets it when there is space for its files.
    if (goes_on.status !== 'queued') unlessFull(() => putBack(space, goes_on));
    return messaged(space, told);
  }
  if (goes_on.status === 'queued') moveQueue(space);
  return messaged(space, told);
}

function messaged(space: HarnessWorkspace, told: Pick<Messaged, 'agentId' | 'taskSlug'>): Messaged {
  const queued = queuePlaceOf(space, told.agentId);
  return queued === null ? { ...told, status: 'resumed' } : { ...told, status: 'queued', queued };
}

/** How it was started, with the client installed now. @throws GuardError GUARD_ERR_AGENT if it cannot be started again */
function jobAnew(space: HarnessWorkspace, draft: DraftState): Job {
  const { id, session, worktree } = draft;
  const files = agentFiles(space.repo.state_dir, session);
  const gone = (what: string): GuardError =>
    new GuardError(
      'GUARD_ERR_AGENT',
      `${what}, so ${id} cannot continue.`,
      'Draft another agent on its task.',
      {
        why: 'gone',
        agent: id,
      },
    );
  if (!existsSync(files.dir)) throw gone('Its log was removed');
  if (worktree?.kept === true && worktree.is_unfinished !== true && !existsSync(worktree.dir))
    throw gone(`${worktree.dir} no longer exists`);
  const program = clientProgram(space.env);
  // An agent that was queued until it ended has none yet.
  const known =
    attempt(() => readJob(files), null) ?? attempt(() => jobOf(space, draft, readWish(files)), null);
  if (known === null) throw gone('The files it is started from were removed');
  const job = { ...known, program };
  requireFit(space, program, findClient(space.env), resuming(job.args));
  return job;
}
