import { plain } from '../../core/plain.ts';
import { statusOf } from '../../core/report.ts';
import { type TreeRow, treeRows } from '../../harness/list.ts';
import { reconcile } from '../../harness/reconcile.ts';
import { allDrafts, type HarnessWorkspace } from '../../harness/workspace.ts';
import type { AgentCommand } from '../commands/agent.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { watchLoop } from '../watch-loop.ts';
import { withHarness } from './workspace.ts';
import { consult } from '../../store/transact.ts';

/** Into a pipe or a file, a watched list comes again only when it is another one. */
export const listCommand: AgentCommand = (_, options, shell) =>
  withHarness(shell, async (space) => {
    let last = '';
    const show = (): void => {
      const text = treeText(rowsOf(space, options.all === true), options.json === true, shell);
      if (text !== last || process.stdout.isTTY) shell.out(text);
      last = text;
    };
    if (options.watch === true) await watchLoop(space, shell, show);
    else show();
    return EXIT.yes;
  });

function rowsOf(space: HarnessWorkspace, all: boolean): TreeRow[] {
  reconcile(space);
  const facts = space.facts();
  const report = consult(space.store, (view) => statusOf(view, facts));
  return treeRows(allDrafts(space), report, all);
}

function treeText(rows: readonly TreeRow[], json: boolean, shell: Shell): string {
  if (json) return `${JSON.stringify({ agents: rows })}\n`;
  return table(
    rows.map((row) => cells(row, shell)),
    'No drafted agent is running.',
  );
}

function cells(row: TreeRow, { color }: Shell): string[] {
  const held = row.leases.length === 0 ? '' : `holds ${row.leases.map(plain).join(', ')}`;
  const waits = row.waiting_for.length === 0 ? '' : `waits for ${row.waiting_for.map(plain).join(', ')}`;
  const why = row.reason === null || row.status === 'completed' ? '' : plain(row.reason);
  return [
    `${'  '.repeat(row.depth - 1)}${plain(row.id)}`,
    plain(row.role),
    plain(row.taskSlug),
    color.bold(row.status),
    `${row.turns} turns`,
    `${row.cost_usd.toFixed(2)} USD`,
    row.depth === 1 ? `drafted by ${plain(row.drafted_by)}` : '',
    [held, waits, why].filter((words) => words !== '').join('; '),
  ];
}
