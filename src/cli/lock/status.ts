import { plain } from '../../core/plain.ts';
import type { StatusRow } from '../../locks/status.ts';
import { reservedAs } from './acquired.ts';
import type { Shell } from '../shell.ts';

export function showStatus({ results }: { readonly results: readonly StatusRow[] }, { out }: Shell): void {
  for (const row of results) out(`${lineOf(row)}\n`);
}

function lineOf(row: StatusRow): string {
  const file = plain(row.filepath);
  if (row.error !== undefined) return `no lock   ${file}: ${plain(row.error)}`;
  const next = row.queue.length === 0 ? '' : `next: ${plain(row.queue.join(', '))}`;
  if (row.holder === null) return next === '' ? `free      ${file}` : `free      ${file}: ${next}`;
  const holders = plain(row.holders.join(', '));
  const reserved = reservedAs(row.reservation);
  const command = row.command === undefined ? '' : ' at the latest, with its command';
  const until = `until ${row.expires_at ?? ''}${command}${reserved}${next === '' ? '' : `; ${next}`}`;
  return `${row.held_by_me ? 'yours    ' : 'held     '} ${file}: ${holders}, ${until}`;
}
