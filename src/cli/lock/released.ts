import { plain } from '../../core/plain.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { ReleasedDrift, Released, ReleasedAll, ReleaseRow } from '../../locks/release.ts';
import type { Shell } from '../shell.ts';

/** What was released, as text. */
export const showReleased = {
  show(told: Released | ReleasedAll, { out }: Shell): void {
    if ('count' in told) {
      out(`released ${told.count} lock${told.count === 1 ? '' : 's'}${rest(told)}\n`);
      for (const one of told.drifted ?? []) out(`${plain(one.filepath)}${driftOf(one.filepath, one)}\n`);
    } else
      for (const row of told.results)
        out(`${wordFor(row)} ${plain(row.filepath)}${rest(row)}${driftOf(row.filepath, row.drifted)}\n`);
  },
  isYes: (told: Released | ReleasedAll): boolean => 'count' in told || told.all_released,
};

function wordFor(row: ReleaseRow): string {
  if (row.error !== undefined) return `no lock (${plain(row.error)}):`;
  if (row.still_reserved !== undefined) return 'still yours';
  return row.was_held ? 'released ' : 'not held ';
}

/** Changes that the caller must not pass on as its own work. */
const driftOf = (file: string, drifted: ReleasedDrift | undefined): string =>
  drifted === undefined
    ? ''
    : ` (${drifted.gone ? 'it is gone' : 'no longer as you left it'}: changed by ${plain(drifted.by)}; your content: guard undo ${plain(shellWord(file))})`;

/** What still keeps others out, and the command that ends it. */
function rest({ still_reserved = [] }: Pick<ReleaseRow, 'still_reserved'>): string {
  if (still_reserved.length === 0) return '';
  const named = still_reserved.map(({ id, pattern }) => `${id} (${plain(pattern)})`).join(', ');
  const ids = still_reserved.map(({ id }) => id).join(' ');
  return `: reserved by you as ${named}; to release it: guard unreserve ${ids}`;
}
