import { plain } from '../../core/plain.ts';
import type { AgentId } from '../../core/types.ts';
import type { StatusRow } from '../../locks/status.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { expiresIn, reservedAs } from './acquired.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';

export function showStatus(
  { results }: { readonly results: readonly StatusRow[] },
  { out }: Shell,
  _: object,
  { store }: Pick<Workspace, 'store'>,
): void {
  const nameOf = namesHere(store);
  for (const row of results) out(`${lineOf(row, nameOf)}\n`);
}

function lineOf(row: StatusRow, nameOf: (id: AgentId) => string): string {
  const file = plain(row.filepath);
  if (row.error !== undefined) return `no lock   ${file}: ${plain(row.error)}`;
  const next = row.queue.length === 0 ? '' : `next: ${row.queue.map(nameOf).join(', ')}`;
  if (row.holder === null) return next === '' ? `free      ${file}` : `free      ${file}: ${next}`;
  const holders = row.holders.map(nameOf).join(', ');
  const reserved = reservedAs(row.reservation);
  const command = row.command === undefined ? '' : ' at the latest, with its command';
  const until = `${expiresIn(row.expires_at ?? '')}${command}${reserved}${next === '' ? '' : `; ${next}`}`;
  return `${row.held_by_me ? 'yours    ' : 'held     '} ${file}: ${holders}, ${until}`;
}
