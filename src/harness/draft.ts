/** Drafting. On return the agent is recorded and either supervised or queued; its work continues without the caller. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { DraftState } from '../core/drafts.ts';
import type { QueuePlace } from '../core/queue-words.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { Who } from '../core/rules/who.ts';
import { markProcess } from '../repo/process.ts';
import { agentFiles } from './agent-files.ts';
import { agentsBefore } from './agents-before.ts';
import { prepare } from './before-start.ts';
import { planPrompt } from './context.ts';
import { failedToStart } from './ending.ts';
import { moveQueue } from './move-queue.ts';
import { keepWithin } from './prune.ts';
import { queuePlaceOf } from './queue-place.ts';
import { reconcile } from './reconcile.ts';
import { recordEnd } from './record-end.ts';
import { refusal } from './refusal.ts';
import { start } from './start.ts';
import { writeWish } from './wish.ts';
import { allDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';

export interface DraftRequest {
  readonly role: string;
  readonly prompt: string;
  /** What people call it. */
  readonly name?: string | undefined;
  /** If absent, a task is made from the prompt. */
  readonly task?: string | undefined;
  /** Run in its own checkout; its role can also ask for this. */
  readonly worktree?: boolean | undefined;
  /** The prompt is a plan that the agent is to carry through. */
  readonly is_plan?: boolean | undefined;
  /** Agents or tasks that it has to wait for; with `anyway`, it starts even if one of them did not complete. */
  readonly after?: readonly string[] | undefined;
  readonly anyway?: boolean | undefined;
  /** Agents with a higher priority start first. */
  readonly priority?: number | undefined;
  /** Its place in a plan. No other agent gets it unless this one ends without completing. */
  readonly plan?: string | undefined;
}

export interface Drafted {
  readonly agentId: string;
  readonly role: string;
  readonly taskSlug: string;
  readonly name?: string;
  /** What it starts without. */
  readonly notes?: readonly string[];
  /** Absent if it was started. */
  readonly queued?: QueuePlace;
}

/** @throws GuardError GUARD_ERR_USAGE for an unknown role or a bad slug, GUARD_ERR_AGENT if it may not or cannot be drafted */
export function draftAgent(space: HarnessWorkspace, drafter: Who, request: DraftRequest): Drafted {
  reconcile(space);
  const session = randomUUID();
  const id = `claude-${session}`;
  const { role, access, call } = prepare(space, drafter, { ...request, id, session });
  const { after = [], anyway = false, priority = 0, plan } = request;
  const queue = { after: agentsBefore(space, after), anyway, priority };
  const now = rfc3339(space.facts().now.wall_ms);
  const task = space.tasks.ensure(request.task, request.prompt, now);
  const files = agentFiles(space.repo.state_dir, session);
  const notes = call.worktree?.notes ?? [];
  const give_up = (): void => {
    attempt(() => rmSync(files.dir, { recursive: true, force: true }), undefined);
    if (task.is_new && !allDrafts(space).some((other) => other.task === task.slug))
      space.tasks.remove(task.slug);
  };
  try {
    // Report a fault in its task before the agent exists.
    if (!task.is_new) space.tasks.context(task.slug);
    writeWish(files, {
      ...{ id, session, drafted_by: drafter.id, prompt: request.prompt, task: task.slug, ...call },
      asked: request.is_plan === true ? planPrompt(request.prompt) : request.prompt,
      ...{ notes, is_new_task: task.is_new },
    });
  } catch (error) {
    attempt(give_up, undefined);
    throw error;
  }
  const { draft, refused } = space.run({
    type: 'draft',
    phase: 'begin',
    who: drafter,
    agent: whoOf(id, session),
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(plan === undefined ? {} : { plan }),
    role: role.name,
    category: role.category,
    access,
    task: task.slug,
    limits: role.limits,
    bounds: space.harness.bounds,
    drafter: markProcess(process.pid),
    queue,
  });
  if (draft === null || refused !== null) {
    give_up();
    throw refusal(refused ?? { why: 'unknown', limit: null });
  }
  if (draft.status === 'queued') moveQueue(space);
  else begin(space, draft);
  attempt(() => keepWithin(space), undefined);
  const place = queuePlaceOf(space, id);
  return {
    ...{ agentId: id, role: role.name, taskSlug: task.slug },
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(place === null ? {} : { queued: place }),
  };
}

/** An agent that could not be started has no supervisor, and its drafter may live on, so its end is recorded here. */
function begin(space: HarnessWorkspace, draft: DraftState): void {
  try {
    start(space, draft);
  } catch (error) {
    recordEnd(space, draft, failedToStart(error));
    throw error;
  }
}
