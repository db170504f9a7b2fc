import { plain } from '../../core/plain.ts';
import type { Acquired, Changed, LockRow } from '../../locks/rows.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';

/** Prints the results of try and wait. Notes on deadlocks are words, so they go to standard error too. */
export function report(told: Acquired, json: boolean, shell: Shell): ExitCode {
  if (json) shell.json(told);
  else for (const row of told.results) shell.out(`${lineOf(row, shell)}\n`);
  for (const note of told.notes ?? []) shell.err(`${plain(note)}\n`);
  return told.all_acquired ? EXIT.yes : EXIT.no;
}

const WAYS = { hold: 'held by', reservation: 'held by', queue: 'next in the queue:' } as const;

/** Until when, for what, and which turn one has. */
function restOf({ because, expires_at, reservation, place = 1, waiters = 0 }: LockRow): string {
  const until = expires_at === null || because === 'queue' ? '' : `, until ${expires_at}`;
  const what =
    reservation === undefined
      ? ''
      : `, reserved as ${reservation.id} (${plain(reservation.pattern)}: ${plain(reservation.reason)})`;
  const turn = waiters === 0 ? '' : `; your turn is number ${place}`;
  return `${until}${what}${turn}`;
}

function lineOf(row: LockRow, { color }: Shell): string {
  const file = plain(row.filepath);
  if (row.acquired) return `${color.green('locked')}    ${file}${row.changed ? inWords(row.changed) : ''}`;
  if (row.holder !== null) {
    const why = row.error === undefined ? '' : ` (${row.error})`;
    return `${color.red('not locked')} ${file}: ${WAYS[row.because ?? 'hold']} ${plain(row.holders.join(', '))}${restOf(row)}${why}`;
  }
  return `${color.red('not locked')} ${file}: ${plain(row.error ?? 'another file could not be locked')}`;
}

/** What an agent must do about it before its next edit. */
function inWords({ by, gone }: Changed): string {
  if (gone === true) return ` (gone since you read it${byWhom(by)}: look where it is before you write it)`;
  const what = by === 'unknown' ? 'may have changed' : 'changed';
  return ` (${what} since you read it${byWhom(by)}: read it again before you edit it)`;
}

const byWhom = (by: string): string => (by === 'outside' || by === 'unknown' ? '' : `, by ${plain(by)}`);
