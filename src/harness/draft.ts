/** Drafting: an agent is on record, and its supervisor runs, when this returns; its work goes on without the caller. */
import { randomUUID } from 'node:crypto';
import type { Who } from '../core/rules/agent.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { markProcess } from '../repo/process.ts';
import type { Job } from './agent-files.ts';
import { prepare } from './before-start.ts';
import { budgetArgs } from './client-call.ts';
import { planPrompt, promptWith } from './context.ts';
import { failedToStart } from './ending.ts';
import { dispatchOf } from './history.ts';
import { recordEnd } from './record-end.ts';
import { keepWithin } from './prune.ts';
import { reconcile } from './reconcile.ts';
import { refusal } from './refusal.ts';
import { start } from './start.ts';
import { allDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';

export interface DraftRequest {
  readonly role: string;
  readonly prompt: string;
  /** What people call it. */
  readonly name?: string | undefined;
  /** Without one, a task is made of the prompt. */
  readonly task?: string | undefined;
  /** In a checkout of its own; its role may say so, too. */
  readonly worktree?: boolean | undefined;
  /** The prompt is a plan that the agent is to carry through. */
  readonly is_plan?: boolean | undefined;
}

export interface Drafted {
  readonly agentId: string;
  readonly role: string;
  readonly taskSlug: string;
  readonly name?: string;
  /** What it starts without. */
  readonly notes?: readonly string[];
}

/** @throws GuardError GUARD_ERR_USAGE for an unknown role or a bad slug, GUARD_ERR_AGENT when it may not be, or cannot */
export function draftAgent(space: HarnessWorkspace, drafter: Who, request: DraftRequest): Drafted {
  reconcile(space);
  const session = randomUUID();
  const id = `claude-${session}`;
  const { role, access, call } = prepare(space, drafter, { ...request, id, session });
  const now = rfc3339(space.facts().now.wall_ms);
  const task = space.tasks.ensure(request.task, request.prompt, now);
  const context = task.is_new ? null : space.tasks.context(task.slug);
  const { draft, refused } = space.run({
    type: 'draft',
    phase: 'begin',
    who: drafter,
    agent: whoOf(id, session),
    ...(request.name === undefined ? {} : { name: request.name }),
    role: role.name,
    category: role.category,
    access,
    task: task.slug,
    limits: role.limits,
    bounds: space.harness.bounds,
    drafter: markProcess(process.pid),
  });
  if (draft === null || refused !== null) {
    if (task.is_new && !allDrafts(space).some((other) => other.task === task.slug))
      space.tasks.remove(task.slug);
    throw refusal(refused ?? { why: 'unknown', limit: null });
  }
  const asked = request.is_plan === true ? planPrompt(request.prompt) : request.prompt;
  const notes = call.worktree?.notes ?? [];
  const job: Job = {
    ...{ id, session, drafted_by: drafter.id, prompt: request.prompt, task: task.slug, ...call },
    args: [...call.args, ...budgetArgs(draft.share_usd ?? null)],
    input: [promptWith(context, asked), ...notes.map((note) => `Note: ${note}`)].join('\n\n'),
  };
  try {
    space.tasks.put(task.slug, dispatchOf(job, draft.started_wall_ms));
    start(space, job);
    keepWithin(space);
  } catch (error) {
    // Nobody looks after it, and its drafter may live on.
    recordEnd(space, id, session, failedToStart(error));
    throw error;
  }
  return {
    ...{ agentId: id, role: role.name, taskSlug: task.slug },
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
