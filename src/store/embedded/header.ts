/** Page 0 of the index: how far it has applied the ledger, which ledger that is, and the shape of its table. */
import type { Lsn } from '../../core/ledger.ts';
import { FIRST_LSN, RECORD_VERSION } from '../record.ts';
import { emptyPage, isSealed, PAGE_WORDS, seal, setWide, wide, word } from './page.ts';
import type { Page } from './page.ts';

const MAGIC = 0x47584449;
const FORMAT = 1;
const BOOT_CHARS = 64;
export const GROUPS = 27;
/** Buckets of a new index: 8 KiB, and no split before some 180 keys. */
const FIRST_BUCKETS = 16;

export interface Header {
  /** Every record before this lsn is in the index. */
  applied: Lsn;
  /** First lsn of the segment that `applied` lies in. */
  base: Lsn;
  /** First lsn of the oldest segment that counts; what is older was compacted away. */
  first: Lsn;
  /** Up to here the ledger itself says that records may be missing (`ledger.compact`). */
  dropped: Lsn;
  /** crc of the last applied record. */
  tip: number;
  /** Number of segments from `first` on. */
  segments: number;
  /** Highest record version seen. */
  version: number;
  /** Inodes of the segment at `base` and of the lock: a copied or replaced ledger is another one. */
  ino: number;
  home: number;
  /** The boot during which the index was written. Page cache does not survive a reboot in any known order. */
  boot: string;
  /** Lsn of the newest checkpoint. */
  checkpoint: Lsn;
  /** After a power cut, until the ledger's end is settled: every lsn below this may have been given out. Else 0. */
  lost: Lsn;
  shape: Shape;
}

/** The hash table's shape; see table.ts. */
export interface Shape {
  buckets: number;
  /** Pages in use, this header included. */
  end: number;
  /** Slots in use; a hint for growing, a crash may leave it a little off. */
  count: number;
  /** First page of the buckets 2^g to 2^(g+1)-1. */
  groups: number[];
}

export function newShape(): Shape {
  const groups: number[] = [];
  for (let first = 1; first < FIRST_BUCKETS; first *= 2) groups.push(first + 1);
  return { buckets: FIRST_BUCKETS, end: FIRST_BUCKETS + 1, count: 0, groups };
}

/** A boot id as the header keeps it. */
export function bootName(boot: string): string {
  return boot.slice(0, BOOT_CHARS);
}

export function newHeader(boot: string): Header {
  return {
    applied: FIRST_LSN,
    base: FIRST_LSN,
    first: FIRST_LSN,
    dropped: 0,
    tip: 0,
    segments: 1,
    version: RECORD_VERSION,
    ino: 0,
    home: 0,
    boot: bootName(boot),
    checkpoint: 0,
    lost: 0,
    shape: newShape(),
  };
}

const WIDE = {
  applied: 2,
  base: 4,
  first: 6,
  dropped: 8,
  ino: 10,
  home: 12,
  checkpoint: 14,
  lost: 16,
} as const;
const NARROW = { tip: 18, segments: 19, version: 20 } as const;
const SHAPE = { buckets: 21, end: 22, count: 23 } as const;
const GROUPS_AT = 24;
const BOOT_AT = GROUPS_AT + GROUPS;

const keysOf = <T extends object>(layout: T): (keyof T)[] => Object.keys(layout) as (keyof T)[];

export function encodeHeader(header: Header): Page {
  const page = emptyPage();
  page[0] = MAGIC;
  page[1] = FORMAT;
  for (const name of keysOf(WIDE)) setWide(page, WIDE[name], header[name]);
  for (const name of keysOf(NARROW)) page[NARROW[name]] = header[name] | 0;
  for (const name of keysOf(SHAPE)) page[SHAPE[name]] = header.shape[name] | 0;
  page.set(header.shape.groups, GROUPS_AT);
  Buffer.from(page.buffer).write(header.boot, BOOT_AT * 4, 'latin1');
  return seal(page, 0);
}

function bootOf(page: Page): string {
  const text = Buffer.from(page.buffer, page.byteOffset, PAGE_WORDS * 4).toString(
    'latin1',
    BOOT_AT * 4,
    BOOT_AT * 4 + BOOT_CHARS,
  );
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** The header in a page, or undefined where it is not one that this version can use. */
export function decodeHeader(page: Page): Header | undefined {
  if (word(page, 0) !== MAGIC || word(page, 1) !== FORMAT || !isSealed(page, 0)) return undefined;
  const header = newHeader(bootOf(page));
  for (const name of keysOf(WIDE)) header[name] = wide(page, WIDE[name]);
  for (const name of keysOf(NARROW)) header[name] = word(page, NARROW[name]) >>> 0;
  for (const name of keysOf(SHAPE)) header.shape[name] = word(page, SHAPE[name]) >>> 0;
  const groups = 32 - Math.clz32(header.shape.buckets - 1);
  header.shape.groups = Array.from(page.subarray(GROUPS_AT, GROUPS_AT + groups));
  return header;
}
