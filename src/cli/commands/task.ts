/** `guard task create|list|context`: the tasks that drafted agents work on, and what is known of each. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { act } from '../act.ts';
import { withHarness } from '../agent/workspace.ts';
import type { ExitCode } from '../exit.ts';
import { say, type Shell } from '../shell.ts';
import { table } from '../view/columns.ts';

interface Options {
  readonly json?: boolean;
  readonly description?: string;
}

export function define(command: Command, shell: Shell): void {
  const list = command.command('list').description('every task, and how many agents worked on it');
  list.option('--json', 'print JSON');
  act<Options>(list, shell, ({ options }) => listTasks(options, shell));
  const create = command.command('create').description('a task that agents may be drafted for');
  create
    .argument('[slug]', 'its name (default: made of the description)')
    .option('--description <text>', 'what is to be done')
    .option('--json', 'print JSON');
  act<Options>(create, shell, ({ args: [slug], options }) => createTask(slug, options, shell));
  const context = command.command('context').alias('show').argument('<slug>');
  context.description('what is known of a task').option('--json', 'print JSON');
  act<Options>(context, shell, ({ args: [slug = ''], options }) => contextOf(slug, options, shell));
}

function createTask(slug: string | undefined, options: Options, shell: Shell): Promise<ExitCode> {
  const { description = '' } = options;
  if (slug === undefined && description.trim() === '')
    throw new GuardError('GUARD_ERR_USAGE', 'A task needs a name or a description.', HOW);
  return withHarness(shell, (space) => {
    const task = space.tasks.create(slug, description, rfc3339(space.facts().now.wall_ms));
    return say(shell, options, task, () => `${task.slug}\n`);
  });
}

const HOW = 'guard task create --description "what is to be done"';

function listTasks(options: Options, shell: Shell): Promise<ExitCode> {
  return withHarness(shell, ({ tasks }) => {
    const all = tasks.list();
    const rows = all.map(({ slug, created, dispatchCount, description }) => [
      ...[slug, created, `${dispatchCount} dispatches`, plain(description).slice(0, 80)],
    ]);
    return say(shell, options, { tasks: all }, () => table(rows, 'There is no task.'));
  });
}

function contextOf(slug: string, options: Options, shell: Shell): Promise<ExitCode> {
  return withHarness(shell, ({ tasks }) => {
    const context = tasks.context(slug);
    return say(shell, options, { context }, () => context.split('\n').map(plain).join('\n'));
  });
}
