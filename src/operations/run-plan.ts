/** Carries out a plan of several agents: drafts, awaits, sums up. Another run continues where the last one stopped. */
import { isGuardError } from '../core/error.ts';
import { awaitAgents } from '../harness/await.ts';
import type { AgentPlan } from '../harness/plan-file.ts';
import { killAgent } from '../harness/kill.ts';
import { reconcile } from '../harness/reconcile.ts';
import { draftOf } from '../harness/workspace.ts';
import { readRole } from '../harness/roles.ts';
import { digestBytes } from '../repo/digest.ts';
import type { DrafterWorkspace } from './drafted.ts';
import { flag, text, withDefault } from './field.ts';
import { operation, type RunContext } from './operation.ts';
import { draftFor, earlierIn, type FoundTasks, plannedRows, type PlannedTask } from './planned-tasks.ts';

const PLAN_CHARS = 4_000_000;

export interface PlanAnswer {
  readonly plan: string;
  /** `completed`: all tasks did. `cancelled`: the caller ended the wait, and the agents continue. */
  readonly status: 'planned' | 'cancelled' | 'failed' | 'completed';
  readonly tasks: readonly PlannedTask[];
}

export const RUN_PLAN = operation(
  'run_plan',
  {
    plan: text('The content of the plan file', { max_chars: PLAN_CHARS }),
    dry_run: withDefault(flag('Only show what would be done'), false),
  },
  async ({ plan: said, dry_run }, space: DrafterWorkspace, around): Promise<PlanAnswer> => {
    // This loads zod, which no other command about agents needs.
    const { planIn, wrongPlan } = await import('../harness/plan-file.ts');
    const plan = planIn(said, digestBytes(Buffer.from(said)).slice(0, 12));
    for (const [at, { role }] of plan.listed.entries())
      unlessUnknown(
        () => readRole(space.root, space.harness.roles_dir, role),
        (reason) => wrongPlan(`tasks[${at}].role`, reason),
      );
    reconcile(space);
    if (dry_run)
      return { plan: plan.id, status: 'planned', tasks: plannedRows(plan, earlierIn(plan, space), space) };
    return carryOut(plan, space, around);
  },
);

function unlessUnknown(read: () => unknown, wrong: (reason: string) => Error): void {
  try {
    read();
  } catch (error) {
    throw isGuardError(error) ? wrong(`${error.message} ${error.hint}`) : error;
  }
}

/** The last first: an end moves the queue, and would start a dependent that runs "anyway", in place of the one drafted next. */
async function killReplaced(plan: AgentPlan, found: FoundTasks, space: DrafterWorkspace): Promise<void> {
  for (const { id } of plan.tasks.toReversed()) {
    const { how, agent = null } = found.get(id) ?? {};
    const last = how !== 'again' || agent === null ? null : draftOf(space, agent);
    if (last?.status === 'queued') await killAgent(space, space.who, last.id, 'its plan is run again');
  }
}

async function carryOut(plan: AgentPlan, space: DrafterWorkspace, around: RunContext): Promise<PlanAnswer> {
  const found = earlierIn(plan, space);
  await killReplaced(plan, found, space);
  for (const task of plan.tasks) {
    const known = found.get(task.id);
    if (known?.how === 'kept') continue;
    found.set(task.id, { how: known?.how ?? 'new', ...draftFor(plan, task, { found, space, around }) });
  }
  const ids = [...found.values()].flatMap(({ agent }) => agent ?? []);
  const ended =
    ids.length === 0
      ? []
      : await awaitAgents(space, space.who, ids, { ...around, first: false, timeout_ms: undefined });
  const is_cut_short = ended === null || 'status' in ended;
  const tasks = plannedRows(plan, found, space);
  const isDone = tasks.every(({ status }) => status === 'completed');
  return { plan: plan.id, status: isDone ? 'completed' : is_cut_short ? 'cancelled' : 'failed', tasks };
}
