import { plain } from '../../core/plain.ts';
import type { AgentId } from '../../core/types.ts';
import type { Acquired, ChangedSince, LockRow } from '../../locks/rows.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';
import { timeLeft } from '../view/time-left.ts';

/** The answers of try and wait as text. */
export const showAcquired = {
  show({ results }: Acquired, shell: Shell, _: object, { store }: Pick<Workspace, 'store'>): void {
    const nameOf = namesHere(store);
    for (const row of results) shell.out(`${lineOf(row, shell, nameOf)}\n`);
  },
  isYes: ({ all_acquired }: Acquired): boolean => all_acquired,
};

const WAYS = { hold: 'held by', reservation: 'held by', queue: 'next in the queue:' } as const;

/** What the file is reserved as. */
export const reservedAs = (reservation: LockRow['reservation']): string =>
  reservation === undefined
    ? ''
    : `, reserved as ${reservation.id} (${plain(reservation.pattern)}: ${plain(reservation.reason)})`;

/** If its holder stays silent. */
export const expiresIn = (expires_at: string): string => `expires in ${timeLeft(expires_at)}`;

function restOf({ because, expires_at, reservation, place = 1, waiters = 0 }: LockRow): string {
  const until = expires_at === null || because === 'queue' ? '' : `, ${expiresIn(expires_at)}`;
  const turn = waiters === 0 ? '' : `; your turn is number ${place}`;
  return `${until}${reservedAs(reservation)}${turn}`;
}

function lineOf(row: LockRow, { color }: Shell, nameOf: (id: AgentId) => string): string {
  const file = plain(row.filepath);
  if (row.acquired) return `${color.green('locked')}    ${file}${row.changed ? inWords(row.changed) : ''}`;
  if (row.holder !== null) {
    const why = row.error === undefined ? '' : ` (${row.error})`;
    return `${color.red('not locked')} ${file}: ${WAYS[row.because ?? 'hold']} ${row.holders.map(nameOf).join(', ')}${restOf(row)}${why}`;
  }
  return `${color.red('not locked')} ${file}: ${plain(row.error ?? 'another file could not be locked')}`;
}

/** What an agent must do about the change before its next edit. */
function inWords({ by, gone }: ChangedSince): string {
  if (gone === true)
    return ` (gone since you read it${byWhom(by)}: find out where it is before you write it)`;
  const what = by === 'unknown' ? 'may have changed' : 'changed';
  return ` (${what} since you read it${byWhom(by)}: read it again before you edit it)`;
}

const byWhom = (by: string): string => (by === 'outside' || by === 'unknown' ? '' : `, by ${plain(by)}`);
