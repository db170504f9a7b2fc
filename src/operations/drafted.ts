/** Drafted agents: starting, awaiting, ending and listing them, and what is known of their tasks. */
import { awaitAgent } from '../harness/await.ts';
import { draftAgent } from '../harness/draft.ts';
import { killAgent } from '../harness/kill.ts';
import { agentRows } from '../harness/list.ts';
import { reconcile } from '../harness/reconcile.ts';
import { allDrafts, type HarnessWorkspace } from '../harness/workspace.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { flag, type InputFields, type InputOf, label, optional, text, withDefault } from './field.ts';
import { operation, type Operation } from './operation.ts';

export type DrafterWorkspace = HarnessWorkspace & CallerWorkspace;

const PROMPT_CHARS = 200_000;
const slug = (about: string) => label(about, 64);
const agentId = label('As draft_agent answered it');

const onDrafts = <const F extends InputFields, R extends object>(
  name: string,
  fields: F,
  run: Operation<F, R, DrafterWorkspace>['run'],
): Operation<F, R, DrafterWorkspace> => operation<F, R, DrafterWorkspace>(name, fields, run);

const DRAFTED = {
  role: slug('A role of this repository'),
  prompt: text('What it is to do; it knows nothing else of you', { max_chars: PROMPT_CHARS }),
  taskSlug: optional(slug('The task it works on, whose history it is told; none: a new one')),
  worktree: withDefault(flag('In a checkout and branch of its own'), false),
};

export const DRAFT_AGENT = onDrafts('draft_agent', DRAFTED, ({ taskSlug, ...asked }, space) =>
  draftAgent(space, space.who, { ...asked, task: taskSlug }),
);

/** `cancelled`: whoever waited ended it; the agent goes on. */
export const AWAIT_AGENT = onDrafts(
  'await_agent',
  { agentId },
  async ({ agentId: id }: InputOf<{ agentId: typeof agentId }>, space, around) =>
    (await awaitAgent(space, space.who, id, around)) ?? { status: 'cancelled' as const },
);

export const KILL_AGENT = onDrafts(
  'kill_agent',
  { agentId },
  ({ agentId: id }: InputOf<{ agentId: typeof agentId }>, space) =>
    killAgent(space, space.who, id, 'kill_agent'),
);

export const LIST_DRAFTED = onDrafts('list_agents', {}, (_, space) => {
  reconcile(space);
  return { agents: agentRows(allDrafts(space), false) };
});

export const LIST_TASKS = onDrafts('list_tasks', {}, (_, { tasks }) => ({ tasks: tasks.list() }));

export const GET_TASK_CONTEXT = onDrafts(
  'get_task_context',
  { taskSlug: slug('') },
  ({ taskSlug }, { tasks }) => ({ context: tasks.context(taskSlug) }),
);
