/**
 * Page 0 of the index: how much of the ledger it has applied, which ledger that is, and the shape of its table. Decoded
 * field by field, not through a layout table: a cold process runs this once, and looping over names cost 0.2 ms.
 */
import type { Lsn } from '../../core/ledger.ts';
import { fingerprint } from '../fingerprint.ts';
import { FIRST_LSN, RECORD_VERSION } from '../record.ts';
import type { Home } from './home-identity.ts';
import { emptyPage, isSealed, type Page, pageWord, sealPage, setWide, wide } from './page.ts';

const MAGIC = 0x47584449;
const FORMAT = 1;
/** Room for 2^27 buckets: more keys than six-byte lsns can name. */
export const GROUPS = 27;
/** Buckets of a new index: 8 KiB, and no split before about 180 keys. */
const FIRST_BUCKETS = 16;

export interface Header {
  /** Every record before this lsn is in the index. */
  applied: Lsn;
  /** First lsn of the segment that `applied` lies in. */
  base: Lsn;
  /** First lsn of the oldest segment that counts; anything older has been compacted away. */
  first: Lsn;
  /** The lsn below which the ledger itself says that records may be missing (`ledger.compact`). */
  dropped: Lsn;
  /** `filePrint` of the segment at `base` and of the lock: they differ for a copied or replaced ledger. */
  segment: number;
  home: number;
  /** Where the ledger ended when it was last compacted; 0 if never. */
  compacted: Lsn;
  /** Lsn of the newest checkpoint. */
  checkpoint: Lsn;
  /** After a power cut, until the ledger's end is settled: every lsn below this may have been given out. Otherwise 0. */
  lost: Lsn;
  /** The boot in which the index was written. The page cache does not survive a reboot in any known order. */
  boot: number;
  /** crc of the last applied record. */
  tip: number;
  /** Number of segments from `first` on. */
  segments: number;
  /** Highest record version seen. */
  version: number;
  /**
   * If this equals `applied`, every record before it was written with its index keys (src/core/keys.ts). A guard that
   * knows no index keys writes 0 here, and one that adds records without them does not advance it.
   */
  indexed: Lsn;
  shape: IndexShape;
}

/** The hash table's shape; see table.ts. */
export interface IndexShape {
  buckets: number;
  /** Pages in use, this header included. */
  end: number;
  /** Slots in use. A hint for growing: a crash may leave it slightly off. */
  count: number;
  /** First page of the buckets 2^g to 2^(g+1)-1. */
  groups: number[];
}

/** The header's form of a boot id: 53 bits of its fingerprint. */
export function bootPrint(boot: string): number {
  const { a, b } = fingerprint(boot);
  return a + (b & 0x1f_ffff) * 0x1_0000_0000;
}

/** The header's form of a file. Uses more than the inode, because inode numbers are reused within moments. */
export const filePrint = ({ ino, birth_ms }: Home): number => bootPrint(`${ino} ${birth_ms}`);

function newShape(): IndexShape {
  const groups: number[] = [];
  for (let first = 1; first < FIRST_BUCKETS; first *= 2) groups.push(first + 1);
  return { buckets: FIRST_BUCKETS, end: FIRST_BUCKETS + 1, count: 0, groups };
}

export function newHeader(boot: string): Header {
  return {
    applied: FIRST_LSN,
    base: FIRST_LSN,
    first: FIRST_LSN,
    dropped: 0,
    segment: 0,
    home: 0,
    compacted: 0,
    checkpoint: 0,
    lost: 0,
    boot: bootPrint(boot),
    tip: 0,
    segments: 1,
    version: RECORD_VERSION,
    indexed: FIRST_LSN,
    shape: newShape(),
  };
}

const SHAPE_AT = 25;
const GROUPS_AT = SHAPE_AT + 3;
const SHAPE_END = GROUPS_AT + GROUPS;

export function encodeHeader(header: Header): Page {
  const page = emptyPage();
  page.set([MAGIC, FORMAT]);
  setWide(page, 2, header.applied);
  setWide(page, 4, header.base);
  setWide(page, 6, header.first);
  setWide(page, 8, header.dropped);
  setWide(page, 10, header.segment);
  setWide(page, 12, header.home);
  setWide(page, 14, header.checkpoint);
  setWide(page, 16, header.lost);
  setWide(page, 18, header.boot);
  setWide(page, 20, header.compacted);
  page.set([header.tip, header.segments, header.version], 22);
  page[SHAPE_AT] = header.shape.buckets;
  page[SHAPE_AT + 1] = header.shape.end;
  page[SHAPE_AT + 2] = header.shape.count;
  page.set(header.shape.groups, GROUPS_AT);
  // Guards that only know `held/` keys have the first word and omit the second.
  for (const at of [SHAPE_END, SHAPE_END + 2]) setWide(page, at, header.indexed);
  return sealPage(page, 0);
}

/** The header in a page, or undefined if it is not one that this version can use. */
export function decodeHeader(page: Page): Header | undefined {
  if (pageWord(page, 0) !== MAGIC || pageWord(page, 1) !== FORMAT || !isSealed(page, 0)) return undefined;
  const buckets = pageWord(page, SHAPE_AT);
  const groups: number[] = [];
  for (let group = 0; 2 ** group < buckets; group++) groups.push(pageWord(page, GROUPS_AT + group));
  return {
    applied: wide(page, 2),
    base: wide(page, 4),
    first: wide(page, 6),
    dropped: wide(page, 8),
    segment: wide(page, 10),
    home: wide(page, 12),
    checkpoint: wide(page, 14),
    lost: wide(page, 16),
    boot: wide(page, 18),
    compacted: wide(page, 20),
    tip: pageWord(page, 22) >>> 0,
    segments: pageWord(page, 23),
    version: pageWord(page, 24),
    indexed: wide(page, SHAPE_END + 2),
    shape: { buckets, end: pageWord(page, SHAPE_AT + 1), count: pageWord(page, SHAPE_AT + 2), groups },
  };
}

/** The header `before` with the shape of `after`, or undefined if the shape is the same. */
export function withShapeOf(before: Page, after: Page): Page | undefined {
  if (
    pageWord(before, SHAPE_AT) === pageWord(after, SHAPE_AT) &&
    pageWord(before, SHAPE_AT + 1) === pageWord(after, SHAPE_AT + 1)
  ) {
    return undefined;
  }
  const page = before.slice();
  page.set(after.subarray(SHAPE_AT, SHAPE_END), SHAPE_AT);
  return sealPage(page, 0);
}
