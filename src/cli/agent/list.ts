/** Who drafted whom, as a tree in words. */
import { plain } from '../../core/plain.ts';
import type { TreeRow } from '../../harness/list.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';

export const showTree = ({ agents }: { readonly agents: readonly TreeRow[] }, shell: Shell): void =>
  shell.out(
    table(
      agents.map((row) => cells(row, shell)),
      'No drafted agent is running.',
    ),
  );

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
