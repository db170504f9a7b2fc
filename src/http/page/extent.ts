/** How far back the kept records go. */
import type { LedgerHistory } from '../../history/history.ts';

const FIRST_LSN = 1;

export const extentOf = ({ count, first, last, agents, bytes }: LedgerHistory): object => ({
  count,
  bytes,
  first,
  last,
  agents,
  /** False if older records were cut off, or compacted without an archive. */
  is_whole: first === null || first.lsn <= FIRST_LSN,
});
