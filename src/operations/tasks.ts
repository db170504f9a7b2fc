/** Tasks that drafted agents work on, and what is known about each. */
import { rfc3339 } from '../core/rfc3339.ts';
import type { HarnessWorkspace } from '../harness/workspace.ts';
import { longText, slug } from './drafted.ts';
import { neverEmpty, optional, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { wrong } from './read-input.ts';

export const LIST_TASKS = operation('list_tasks', {}, (_, { tasks }: HarnessWorkspace) => ({
  tasks: tasks.list(),
}));

export const CREATE_TASK = operation(
  'create_task',
  {
    taskSlug: neverEmpty(optional(slug('Its name; by default made from the description'))),
    description: withDefault(longText('What is to be done'), ''),
  },
  ({ taskSlug, description }, { tasks, facts }: HarnessWorkspace) => {
    if (taskSlug === undefined && description.trim() === '')
      throw wrong('description', 'A task needs a name or a description.');
    return tasks.create(taskSlug, description, rfc3339(facts().now.wall_ms));
  },
);

export const GET_TASK_CONTEXT = operation(
  'get_task_context',
  { taskSlug: slug('') },
  ({ taskSlug }, { tasks }: HarnessWorkspace) => ({ context: tasks.context(taskSlug) }),
);
