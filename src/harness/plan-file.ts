/** Plans of several agents: the file's shape, its faults, and the order in which its tasks can be drafted. Pure. */
import * as z from 'zod';
import { findCycles } from '../core/cycles.ts';
import { PRIORITY_MAX, QUEUED_MAX } from '../core/draft-queue.ts';
import { GuardError } from '../core/error.ts';
import { isSlug, SLUG_WORDS } from '../core/task-slug.ts';

const PROMPT_CHARS = 200_000;
const slug = (about: string) =>
  z
    .string()
    .refine(isSlug, { error: `must have ${SLUG_WORDS}` })
    .describe(about);

const TASK = z.strictObject({
  id: slug('Its id within the plan'),
  role: slug('A role of this repository'),
  prompt: z.string().trim().min(1).max(PROMPT_CHARS).describe('What it is to do; it knows nothing else'),
  task: slug('The task it works on, with its history; by default a new one').optional(),
  name: slug('A name for the agent').optional(),
  after: z
    .array(z.string())
    .default([])
    .describe('Tasks of this plan that must complete before it starts; if one fails, it never does'),
  anyway: z.boolean().default(false).describe('It starts after them even if one fails'),
  priority: z.number().min(-PRIORITY_MAX).max(PRIORITY_MAX).default(0).describe('Higher starts first'),
  worktree: z.boolean().default(false).describe('In its own checkout and branch'),
});

const PLAN = z.strictObject({
  $schema: z.string().optional(),
  id: slug(
    'A plan run again under the same id continues where it stopped; by default, its content is its id',
  ).optional(),
  tasks: z.array(TASK).min(1).max(QUEUED_MAX),
});

/** Written to docs/plan.schema.json. */
export const planSchema = (): object => z.toJSONSchema(PLAN, { io: 'input' });

export type PlanTask = z.infer<typeof TASK>;

export interface AgentPlan {
  readonly id: string;
  /** Each task comes after those it waits for, otherwise in the file's order. */
  readonly tasks: readonly PlanTask[];
  /** In the file's order. */
  readonly listed: readonly PlanTask[];
}

/**
 * @param digest digest of the text, used as the id if the plan names none
 * @throws GuardError GUARD_ERR_USAGE, naming the field
 */
export function planIn(text: string, digest: string): AgentPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrongPlan('plan', error instanceof Error ? error.message : String(error));
  }
  const read = PLAN.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
    throw wrongPlan(
      pathOf(path),
      unknown === undefined ? (issue?.message ?? '') : 'is not a field of a plan',
    );
  }
  const { id = digest, tasks } = read.data;
  checkIds(tasks);
  return { id, tasks: ordered(tasks), listed: tasks };
}

/** In the notation of programs: `tasks[2].role`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'plan';

export const wrongPlan = (field: string, reason: string): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `${field}: ${reason}`,
    'No agent was drafted. docs/harness.md describes the format of a plan.',
    { field },
  );

function checkIds(tasks: readonly PlanTask[]): void {
  const places = new Map<string, number>();
  for (const [at, { id }] of tasks.entries()) {
    if (places.has(id)) throw wrongPlan(`tasks[${at}].id`, `there are two tasks ${JSON.stringify(id)}`);
    places.set(id, at);
  }
  for (const [at, { after }] of tasks.entries())
    for (const [nth, id] of after.entries())
      if (!places.has(id))
        throw wrongPlan(`tasks[${at}].after[${nth}]`, `${JSON.stringify(id)} is not a task of this plan`);
  const [cycle] = findCycles(tasks.flatMap(({ id, after }) => after.map((to) => ({ from: id, to }))));
  if (cycle === undefined) return;
  const [first] = cycle;
  const at = places.get(first?.from ?? '') ?? 0;
  const words = [...cycle.map(({ from }) => from), first?.from].join(' after ');
  throw wrongPlan(`tasks[${at}].after`, `these wait for each other: ${words}`);
}

function ordered(tasks: readonly PlanTask[]): PlanTask[] {
  const done = new Set<string>();
  const left = [...tasks];
  const order: PlanTask[] = [];
  while (left.length > 0) {
    // There is no cycle, so there always is one.
    const at = left.findIndex(({ after }) => after.every((id) => done.has(id)));
    const [next] = left.splice(Math.max(0, at), 1);
    if (next === undefined) break;
    done.add(next.id);
    order.push(next);
  }
  return order;
}
