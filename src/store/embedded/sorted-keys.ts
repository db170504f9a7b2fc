/** Keys in order: blocks that are read when somebody looks into them, and what changed since those were written. Pure. */
import type { Key } from '../../core/ledger.ts';

/** Never empty. */
export interface KeyBlock {
  readonly first: Key;
  readonly keys: () => readonly Key[];
}

export interface SortedKeys {
  readonly blocks: readonly KeyBlock[];
  /** Whether a key is there, of those that were ever another than the blocks say: what is written of one is only undone by saying so. */
  readonly changes: Map<Key, boolean>;
}

/** The last block that begins at the key or before; -1 where all begin behind it. */
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

/** Of the keys below a prefix and behind `after` the first `most`; 0: all. */
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
    // Keys below a prefix stand together.
    if (found.length >= end || (first > below && !first.startsWith(below))) break;
    for (const key of keys()) if (isMeant(key) && !changes.has(key)) found.push(key);
  }
  const added = [...changes].flatMap(([key, isThere]) => (isThere && isMeant(key) ? [key] : []));
  const all = added.length === 0 ? found : [...found, ...added].sort();
  return all.slice(0, end);
}
