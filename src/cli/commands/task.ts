/** `guard task list|show`: the tasks that drafted agents work on, and what is known of each. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { act } from '../act.ts';
import { withSite } from '../agent/site.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options {
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  const list = command.command('list').description('every task, and how many agents worked on it');
  list.option('--json', 'print JSON');
  act<Options>(list, shell, ({ options }) => listTasks(options, shell));
  const show = command.command('show').description('the context document of a task').argument('<slug>');
  show.option('--json', 'print JSON');
  act<Options>(show, shell, ({ args: [slug = ''], options }) => showTask(slug, options, shell));
}

function listTasks({ json }: Options, shell: Shell): Promise<ExitCode> {
  return withSite(shell, ({ tasks }) => {
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

function showTask(slug: string, { json }: Options, shell: Shell): Promise<ExitCode> {
  return withSite(shell, ({ tasks }) => {
    const context = tasks.context(slug);
    if (json === true) shell.json({ context });
    else shell.out(context.split('\n').map(plain).join('\n'));
    return EXIT.yes;
  });
}
