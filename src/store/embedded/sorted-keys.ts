/** Sorted keys: blocks that are loaded on demand, and the changes since they were written. Pure. */
import type { Key } from '../../core/ledger.ts';

/** A block is never empty. */
export interface KeyBlock {
  readonly first: Key;
  readonly keys: () => readonly Key[];
}

export interface SortedKeys {
  readonly blocks: readonly KeyBlock[];
  /** Whether each changed key exists. A key that changes back stays listed, because only a later change can undo a stored one. */
  readonly changes: Map<Key, boolean>;
}

/** The last block that begins at or before the key; -1 if all begin after it. */
function blockOf(blocks: readonly KeyBlock[], key: Key): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.first ?? '') <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const inBlocks = ({ blocks }: SortedKeys, key: Key): boolean =>
  blocks[blockOf(blocks, key)]?.keys().includes(key) === true;

export function learnKey(sorted: SortedKeys, key: Key, isThere: boolean): void {
  const { changes } = sorted;
  if (changes.has(key) || inBlocks(sorted, key) !== isThere) changes.set(key, isThere);
}

/** The first `most` keys below a prefix that come after `after`; 0 means all. */
export function pageOfKeys(
  { blocks, changes }: SortedKeys,
  below: string,
  after: Key,
  most: number,
): readonly Key[] {
  const isMeant = (key: Key): boolean => key > after && key.startsWith(below);
  const found: Key[] = [];
  const end = most === 0 ? Infinity : most;
  for (let at = Math.max(0, blockOf(blocks, after > below ? after : below)); at < blocks.length; at++) {
    const { first, keys } = blocks[at] as KeyBlock;
    // Keys with the same prefix are adjacent.
    if (found.length >= end || (first > below && !first.startsWith(below))) break;
    for (const key of keys()) if (isMeant(key) && !changes.has(key)) found.push(key);
  }
  const added = [...changes].flatMap(([key, isThere]) => (isThere && isMeant(key) ? [key] : []));
  const all = added.length === 0 ? found : [...found, ...added].sort();
  return all.slice(0, end);
}
