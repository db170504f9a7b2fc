/** `guard task create|list|context`: the tasks that drafted agents work on, and what is known of each. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { act } from '../act.ts';
import { withHarness } from '../agent/workspace.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

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
  const { description = '', json } = options;
  if (slug === undefined && description.trim() === '')
    throw new GuardError(
      'GUARD_ERR_USAGE',
      'A task needs a name or a description.',
      'guard task create --description "what is to be done"',
    );
  return withHarness(shell, (space) => {
    const task = space.tasks.create(slug, description, rfc3339(space.facts().now.wall_ms));
    if (json === true) shell.json(task);
    else shell.out(`${task.slug}\n`);
    return EXIT.yes;
  });
}

function listTasks({ json }: Options, shell: Shell): Promise<ExitCode> {
  return withHarness(shell, ({ tasks }) => {
    const rows = tasks.list();
    if (json === true) shell.json({ tasks: rows });
    else if (rows.length === 0) shell.out('There is no task.\n');
    else
      shell.out(
        `${columns(rows.map((row) => [row.slug, row.created, `${row.dispatchCount} dispatches`, plain(row.description).slice(0, 80)])).join('\n')}\n`,
      );
    return EXIT.yes;
  });
}

function contextOf(slug: string, { json }: Options, shell: Shell): Promise<ExitCode> {
  return withHarness(shell, ({ tasks }) => {
    const context = tasks.context(slug);
    if (json === true) shell.json({ context });
    else shell.out(context.split('\n').map(plain).join('\n'));
    return EXIT.yes;
  });
}
