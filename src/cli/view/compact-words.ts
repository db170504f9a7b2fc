/** What `guard compact` did, as text. */
import type { SweepReport } from '../../contents/sweep.ts';
import { counted } from './counted.ts';
import type { ArchiveReport, CompactReport } from '../../store/upkeep.ts';

export const COMPACTED_THERE =
  'The ledger is a database that machines share, and guard does not compact it: old records stay there.';

export const sweptWords = ({ entries, bytes, removed }: SweepReport): string =>
  `${entries} contents of files kept in ${Math.round(bytes / 1024)} KiB, ${removed} removed.`;

export function compactWords(
  { archived, carried, forgotten, freed_bytes }: CompactReport,
  { cut, segments, bytes }: ArchiveReport,
): string {
  const kept =
    segments === 0
      ? ''
      : ` The archive has ${counted(segments, 'segment')} in ${Math.round(bytes / 1024)} KiB.`;
  if (archived.length + cut.length === 0) return `Nothing to compact.${kept}`;
  const moved = archived.length === 0 ? '' : `${counted(archived.length, 'segment')} archived, `;
  const gone = cut.length === 0 ? '' : `${cut.length} deleted, `;
  const dropped = forgotten === 0 ? '' : `${forgotten} of agents long gone forgotten, `;
  return `${moved}${gone}${counted(carried, 'state')} carried over, ${dropped}${Math.round(freed_bytes / 1024)} KiB freed.${kept}`;
}
