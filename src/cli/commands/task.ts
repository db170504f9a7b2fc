/** `guard task create|list|context`: the tasks that drafted agents work on, and what is known about each. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { CREATE_TASK, GET_TASK_CONTEXT, LIST_TASKS } from '../../operations/tasks.ts';
import { inHarness } from '../agent/places.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { counted } from '../view/counted.ts';

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command => command.command(name).description(summary);
  inHarness(verb('list', 'list tasks, and how many agents worked on each'), shell, LIST_TASKS, {
    show({ tasks }, { out }) {
      const rows = tasks.map(({ slug, created, dispatchCount, description }) => [
        ...[slug, created, counted(dispatchCount, 'dispatch', 'dispatches'), plain(description).slice(0, 80)],
      ]);
      out(table(rows, 'There are no tasks.'));
    },
  });
  const create = verb('create', 'create a task that agents can be drafted for');
  inHarness(create.argument('[slug]', 'its name (default: made from the description)'), shell, CREATE_TASK, {
    given: ({ args: [taskSlug] }) => ({ taskSlug }),
    flags: { taskSlug: 'SLUG' },
    options: { description: ['--description <text>', 'what is to be done'] },
    show: ({ slug }, { out }) => out(`${slug}\n`),
  });
  const context = verb('context', 'show what is known about a task').alias('show').argument('<slug>');
  inHarness(context, shell, GET_TASK_CONTEXT, {
    given: ({ args: [taskSlug] }) => ({ taskSlug }),
    flags: { taskSlug: 'SLUG' },
    show: ({ context: known }, { out }) => out(known.split('\n').map(plain).join('\n')),
  });
}
