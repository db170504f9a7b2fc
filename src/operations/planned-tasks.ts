/** The tasks of a plan: the result of each in earlier runs, how one is drafted, and how it is reported. */
import { type DraftState, isOver, NO_USAGE } from '../core/drafts.ts';
import { isGuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import { draftAgent } from '../harness/draft.ts';
import type { AgentPlan, PlanTask } from '../harness/plan-file.ts';
import { queuePlaceOf } from '../harness/queue-place.ts';
import { allDrafts, draftOf } from '../harness/workspace.ts';
import type { DrafterWorkspace } from './drafted.ts';
import type { RunContext } from './operation.ts';

/** `new`: not drafted before. `again`: drafted before, not completed. `kept`: running, queued or completed already. */
type How = 'new' | 'again' | 'kept';

export interface PlannedTask {
  readonly id: string;
  readonly role: string;
  readonly after: readonly string[];
  readonly how: How;
  /** `null` if no agent was drafted for it. */
  readonly agentId: AgentId | null;
  /** The agent's status; `planned` if there is no agent yet. */
  readonly status: DraftState['status'] | 'planned';
  readonly reason: string | null;
  readonly summary: string | null;
  readonly needs: NonNullable<DraftState['needs']> | null;
  readonly turns: number;
  readonly cost_usd: number;
}

interface PlannedBefore {
  readonly how: How;
  readonly agent: AgentId | null;
  /** Why no agent was drafted. */
  readonly reason?: string;
}
export type FoundTasks = ReadonlyMap<string, PlannedBefore>;

const placeIn = (plan: AgentPlan, { id }: PlanTask): string => `${plan.id}/${id}`;

/** The result of each task in earlier runs. */
export function earlierIn(plan: AgentPlan, space: DrafterWorkspace): Map<string, PlannedBefore> {
  const drafts = allDrafts(space);
  const found = new Map<string, PlannedBefore>();
  // In the order of the plan, so that what a task comes after has been found.
  for (const task of plan.tasks) {
    const last = drafts.findLast((draft) => draft.plan === placeIn(plan, task));
    const before = task.after.flatMap((id) => found.get(id) ?? []);
    if (last === undefined) found.set(task.id, { how: 'new', agent: null });
    else found.set(task.id, { how: isKept(last, before) ? 'kept' : 'again', agent: last.id });
  }
  return found;
}

/** A queued one must wait for exactly the agents that now carry out what comes before it; an earlier run may have replaced some. */
function isKept(last: DraftState, before: readonly PlannedBefore[]): boolean {
  if (isOver(last)) return last.status === 'completed';
  // A later run of its session comes after no one.
  if (last.status !== 'queued' || last.dispatch !== undefined) return true;
  const after = new Set(last.queued?.after);
  const current = new Set(before.map(({ agent }) => agent));
  const isCurrent = ({ how, agent }: PlannedBefore): boolean =>
    how === 'kept' && agent !== null && after.has(agent);
  return after.size === current.size && before.every(isCurrent);
}

interface Drafting {
  readonly found: FoundTasks;
  readonly space: DrafterWorkspace;
  readonly around: RunContext;
}

/** Drafts one task. A failure does not affect tasks that do not depend on it. */
export function draftFor(
  plan: AgentPlan,
  task: PlanTask,
  { found, space, around }: Drafting,
): Omit<PlannedBefore, 'how'> {
  const before = task.after.map((id) => found.get(id)?.agent ?? null);
  if (before.includes(null) && !task.anyway)
    return { agent: null, reason: `${task.after[before.indexOf(null)] ?? ''} was not drafted` };
  const { role, prompt, name, anyway, priority, worktree } = task;
  const after = before.flatMap((id) => id ?? []);
  try {
    const asked = { role, prompt, name, task: task.task, worktree, after, anyway, priority };
    const drafted = draftAgent(space, space.who, { ...asked, plan: placeIn(plan, task) });
    around.onDrafted?.(drafted);
    return { agent: drafted.agentId };
  } catch (error) {
    if (!isGuardError(error)) throw error;
    // Another process is running the same plan right now.
    const { why, agent } = error.facts;
    return why === 'planned' && typeof agent === 'string'
      ? { agent }
      : { agent: null, reason: error.message };
  }
}

/** The rows as of now. */
export const plannedRows = (plan: AgentPlan, found: FoundTasks, space: DrafterWorkspace): PlannedTask[] =>
  plan.tasks.map(({ id, role, after }) => {
    const { how = 'new', agent = null, reason = null } = found.get(id) ?? {};
    const draft = agent === null ? null : draftOf(space, agent);
    const waits = draft?.status === 'queued' ? queuePlaceOf(space, draft.id) : null;
    const { turns, cost_usd } = draft?.usage ?? NO_USAGE;
    return {
      ...{ id, role, after, how, agentId: agent, turns, cost_usd },
      status: draft?.status ?? (reason === null ? 'planned' : 'refused'),
      reason: draft?.reason ?? waits?.words ?? reason,
      summary: draft?.result?.summary ?? null,
      needs: draft?.needs ?? null,
    };
  });
