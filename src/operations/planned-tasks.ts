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
  const replaced = new Set<AgentId>();
  return new Map(
    plan.tasks.map((task): [string, PlannedBefore] => {
      const last = drafts.findLast((draft) => draft.plan === placeIn(plan, task));
      if (last === undefined) return [task.id, { how: 'new', agent: null }];
      if (isKept(last, replaced)) return [task.id, { how: 'kept', agent: last.id }];
      replaced.add(last.id);
      return [task.id, { how: 'again', agent: last.id }];
    }),
  );
}

/** One that waits for an agent in whose place this run drafts another would wait for the wrong one. */
function isKept(last: DraftState, replaced: ReadonlySet<AgentId>): boolean {
  if (isOver(last)) return last.status === 'completed';
  return last.status !== 'queued' || !last.queued?.after.some((id) => replaced.has(id));
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
