/** Checks that the segments of a ledger follow one another, and builds the errors for those that do not. */
import { statSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { corrupt } from '../told-failure.ts';
import type { Damage } from '../record.ts';
import { segmentName } from './files.ts';
import { followsAt } from './leap.ts';
import type { LedgerFiles } from './ledger.ts';

/** GUARD_ERR_CORRUPT for a bad line, with its segment, lsn and byte offset. */
export function damagedAt(base: Lsn, end: { readonly lsn: Lsn; readonly damage: Damage | undefined }): Error {
  const segment = segmentName(base);
  return corrupt(`${segment} has a bad record at lsn ${end.lsn} (${end.damage ?? 'batch'})`, {
    segment,
    lsn: end.lsn,
    offset: end.lsn - base,
    reason: end.damage ?? 'batch',
  });
}

/** Segments must follow each other without a gap that the ledger does not declare; comparing sizes is enough. */
export function checkSegments(ledger: LedgerFiles): void {
  for (const [at, base] of ledger.segments.entries()) {
    const following = ledger.segments[at + 1];
    if (following === undefined) return;
    const stats = statSync(`${ledger.dir}/${segmentName(base)}`, { throwIfNoEntry: false });
    const end = base + (stats?.size ?? 0);
    if (end === following || end === followsAt(ledger.dir, following)) continue;
    const segment = segmentName(end < following ? end : base);
    throw corrupt(
      end < following ? `the segment ${segment} is missing` : `the segment ${segment} is too long`,
      {
        segment,
        lsn: end,
        reason: end < following ? 'missing_segment' : 'overlap',
      },
    );
  }
}
