import { plain } from '../../core/plain.ts';
import type { AcquireResult } from '../../core/rules/acquire.ts';
import type { LockOptions } from '../commands/lock.ts';
import type { Shell } from '../shell.ts';
import type { LocatedPath } from './located.ts';

/** One row per path as given: two spellings of one file are two rows about one lock. */
export interface LockRow {
  readonly filepath: string;
  readonly acquired: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: number | null;
  readonly expires_at: string | null;
  readonly error?: string;
}

/** Prints the results of try and wait; true when all were acquired. `error`: why a wait ended without the lock. */
export function report(
  located: readonly LocatedPath[],
  results: readonly AcquireResult[],
  options: Pick<LockOptions, 'json'>,
  shell: Shell,
  error: (row: LocatedPath) => string | null = () => null,
): boolean {
  const rows = located.map((row) => rowOf(row, results, error(row)));
  const all_acquired = rows.every((row) => row.acquired);
  if (options.json === true) shell.json({ results: rows, all_acquired });
  else for (const row of rows) shell.out(`${lineOf(row, shell)}\n`);
  return all_acquired;
}

function rowOf(row: LocatedPath, results: readonly AcquireResult[], why: string | null): LockRow {
  const result = results.find(({ path }) => path === row.path);
  const error = row.error ?? (result?.acquired === true ? null : why);
  return {
    filepath: row.given,
    acquired: result?.acquired ?? false,
    holder: result?.holder ?? null,
    holders: result?.holders ?? [],
    token: result?.token ?? null,
    expires_at: result?.expires_at ?? null,
    ...(error === null ? {} : { error }),
  };
}

function lineOf(row: LockRow, { color }: Shell): string {
  const file = plain(row.filepath);
  if (row.acquired) return `${color.green('locked')}    ${file}`;
  if (row.holder !== null) {
    const why = row.error === undefined ? '' : ` (${row.error})`;
    return `${color.red('not locked')} ${file}: held by ${plain(row.holders.join(', '))}${why}`;
  }
  return `${color.red('not locked')} ${file}: ${plain(row.error ?? 'another file could not be locked')}`;
}
