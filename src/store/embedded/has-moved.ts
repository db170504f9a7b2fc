/** Whether anything that a commit depends on has changed. Only asked if records were appended in the meantime. */
import type { Read } from '../store.ts';
import { isIndexed, type LedgerFiles, newestOf, segmentFile } from './ledger.ts';
import { range } from './range.ts';
import { readAt } from './walk.ts';

/** Up to this many appended bytes are searched; beyond that the index is asked. */
const TEXT_BYTES = 256 * 1024;

/**
 * Whether anything appended since the read mentions a key or listing that was read. Keys appear in records exactly as
 * JSON encodes them, so a search through the bytes misses none; a match may be a false positive.
 */
function isNamed(ledger: LedgerFiles, { tip, keys, lists }: Read): boolean {
  const { header } = ledger;
  const bytes = header.applied - tip;
  // The ledger ends before the point of the read if an older one was restored over it.
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
