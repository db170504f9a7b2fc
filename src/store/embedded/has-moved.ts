/** Whether something that a commit rests on is another one now. Asked only when records were appended meanwhile. */
import type { Read } from '../store.ts';
import { isIndexed, type LedgerFiles, newestOf, segmentFile } from './ledger.ts';
import { range } from './range.ts';
import { readAt } from './walk.ts';

/** So much is looked through; of more the index is asked. */
const TEXT_BYTES = 256 * 1024;

/**
 * Whether what was appended since names anything that was read. A key stands in a record as JSON writes it, so a search through the
 * bytes misses none; what it finds may be something else.
 */
function isNamed(ledger: LedgerFiles, { tip, keys, lists }: Read): boolean {
  const { header } = ledger;
  const bytes = header.applied - tip;
  // It ends before what was read where an older one was put back.
  if (tip < header.base || bytes < 0 || bytes > TEXT_BYTES) return true;
  const { fd } = segmentFile(ledger, header.base);
  const text = readAt(fd, header.base, tip, bytes);
  return (
    [...keys.keys()].some((key) => text.includes(`${JSON.stringify(key)}:`)) ||
    lists.some(({ below }) => text.includes(JSON.stringify(below).slice(0, -1)))
  );
}

const differs = (ledger: LedgerFiles, { keys, lists }: Read): boolean =>
  [...keys].some(([key, version]) => (newestOf(ledger, key) ?? 0) !== version) ||
  lists.some((list) => range(ledger, list).version !== list.version);

export const hasMoved = (ledger: LedgerFiles, read: Read): boolean =>
  (read.indexed && !isIndexed(ledger)) || (isNamed(ledger, read) && differs(ledger, read));
