/** Drafting: an agent is on record, and its supervisor runs, when this returns; its work goes on without the caller. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { accessOf } from '../core/policy/role.ts';
import { type Access, sessionAgent } from '../core/drafts.ts';
import type { Who } from '../core/rules/agent.ts';
import { GuardError } from '../core/error.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { permissionRules } from '../install/permission-rules.ts';
import { findOnPath } from '../install/find-on-path.ts';
import { guardCommand } from '../install/guard-command.ts';
import { guardRoot } from '../install/guard-root.ts';
import { markProcess } from '../repo/process.ts';
import type { Job } from './agent-files.ts';
import { agentHooks } from './agent-hooks.ts';
import { clientArgs } from './client-call.ts';
import { planPrompt, promptWith } from './context.ts';
import { failedToStart } from './ending.ts';
import { dispatchOf } from './history.ts';
import { recordEnd } from './record-end.ts';
import { reconcile } from './reconcile.ts';
import { refusal } from './refusal.ts';
import { start } from './start.ts';
import { readRole, type Role } from './roles.ts';
import { allDrafts, draftOf, type HarnessWorkspace, whoOf } from './workspace.ts';

export interface DraftRequest {
  readonly role: string;
  readonly prompt: string;
  /** Without one, a task is made of the prompt. */
  readonly task?: string | undefined;
  /** In a checkout of its own. */
  readonly worktree?: boolean | undefined;
  /** The prompt is a plan that the agent is to carry through. */
  readonly is_plan?: boolean | undefined;
}

export interface Drafted {
  readonly agentId: string;
  readonly role: string;
  readonly taskSlug: string;
}

/** @throws GuardError GUARD_ERR_USAGE for an unknown role or a bad slug, GUARD_ERR_AGENT when it may not be */
export function draftAgent(space: HarnessWorkspace, drafter: Who, request: DraftRequest): Drafted {
  reconcile(space);
  const role = readRole(space.root, space.harness.roles_dir, request.role);
  checkAsFound(space, drafter, role);
  const session = randomUUID();
  const id = `claude-${session}`;
  const now = rfc3339(space.facts().now.wall_ms);
  const task = space.tasks.ensure(request.task, request.prompt, now);
  const context = task.is_new ? null : space.tasks.context(task.slug);
  const access = accessOf(role.category, space.harness.full_access);
  const { draft, refused } = space.run({
    type: 'draft',
    phase: 'begin',
    who: drafter,
    agent: whoOf(id, session),
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
    throw refusal(refused?.why ?? 'unknown', refused?.limit ?? null);
  }
  const asked = request.is_plan === true ? planPrompt(request.prompt) : request.prompt;
  const base = { id, session, drafted_by: drafter.id, prompt: request.prompt, task: task.slug };
  try {
    const worktree = request.worktree === true ? worktreeFor(space, role.name, session) : null;
    const job: Job = {
      ...base,
      ...callOf(space, base, role, access, worktree !== null),
      input: promptWith(context, asked),
      worktree,
    };
    space.tasks.put(task.slug, dispatchOf(job, draft.started_wall_ms));
    start(space, job);
  } catch (error) {
    // Nobody looks after it, and its drafter may live on.
    recordEnd(space, id, session, failedToStart(error));
    throw error;
  }
  return { agentId: id, role: role.name, taskSlug: task.slug };
}

/** A tree of agents works with the roles that it found: one of them may have changed a file, in whatever way. */
function checkAsFound(space: HarnessWorkspace, drafter: Who, { name, changed_wall_ms }: Role): void {
  const parent = draftOf(space, sessionAgent(drafter.id));
  const root = parent === null ? null : draftOf(space, parent.root);
  if (root === null || changed_wall_ms <= root.started_wall_ms) return;
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `The role ${name} was changed after ${root.id} began, and so after you did.`,
    'Go on without it, and say so in your final answer; a person can draft with it.',
    { why: 'role', role: name, root: root.id },
  );
}

/** How its client is to be started. */
function callOf(
  space: HarnessWorkspace,
  { id, session }: Pick<Job, 'id' | 'session'>,
  role: Role,
  access: Access,
  in_worktree: boolean,
): Pick<Job, 'role' | 'root' | 'cwd' | 'program' | 'args' | 'env'> {
  const args = clientArgs({
    id,
    session,
    role,
    access,
    hooks: agentHooks(space, in_worktree),
    permissions: permissionRules(guardCommand(space.repo)),
    guard: [process.execPath, join(guardRoot(), 'bin', 'guard.cjs')],
  });
  const program = findOnPath('claude', space.env['PATH']) ?? 'claude';
  return { role: role.name, root: space.root, cwd: space.root, program, args, env: {} };
}

const worktreeFor = ({ root }: HarnessWorkspace, role: string, session: string): Job['worktree'] => ({
  dir: join(root, '.claude', 'worktrees', `guard-${session.slice(0, 8)}`),
  branch: `guard/${role}-${session.slice(0, 8)}`,
});
