/**
 * The index proper: a linear hash table from a key's fingerprint to the lsn of its newest record. It grows by
 * one bucket at a time, so no operation ever pays for the whole table.
 *
 * A bucket is a page of 30 slots and, rarely, overflow pages chained to it. Bucket n belongs to the group
 * [2^g, 2^(g+1)) that contains n; a group's pages are contiguous and are reserved when its first bucket is
 * created. A slot has 4 words: fingerprint a, b, low half of the lsn, high half of the lsn with the kind.
 *
 * A slot's fingerprint may belong to another key; `isIt` reads the record at the lsn and decides.
 */
import type { Lsn } from '../../core/ledger.ts';
import { IndexAnomaly } from '../failure.ts';
import type { Fingerprint } from '../fingerprint.ts';
import { GROUPS, type IndexShape } from './header.ts';
import { type Page, pageWord } from './page.ts';
import type { Pages } from './pages.ts';

const SLOTS = 30;
export const SLOT_WORDS = 4;
export const FIRST_SLOT = 4;
/** A longer chain of pages is taken for a cycle. */
const CHAIN_MAX = 100_000;
/**
 * Average number of slots per bucket at which the table grows. A bucket that waits for its split holds up to twice as
 * many; with 22, one bucket in forty overflows.
 */
const LOAD = 11;

/** Word offsets in a bucket page. */
const OWNER = 0;
const NEXT = 1;
const USED = 2;

interface Slot {
  readonly page: number;
  readonly at: number;
  readonly lsn: Lsn;
}

type IsIt = (lsn: Lsn) => boolean;

export function lsnOf(page: Page, at: number): Lsn {
  return (pageWord(page, at + 2) >>> 0) + (pageWord(page, at + 3) & 0xffff) * 0x1_0000_0000;
}

const kindAt = (page: Page, at: number): number => pageWord(page, at + 3) >>> 16;

export function printAt(page: Page, at: number): Fingerprint {
  return { a: pageWord(page, at) >>> 0, b: pageWord(page, at + 1) >>> 0, kind: kindAt(page, at) };
}

function writeSlot(page: Page, at: number, print: Fingerprint, lsn: Lsn): void {
  page[at] = print.a | 0;
  page[at + 1] = print.b | 0;
  page[at + 2] = lsn | 0;
  page[at + 3] = Math.floor(lsn / 0x1_0000_0000) | (print.kind << 16);
}

export function bucketOf(shape: IndexShape, b: number): number {
  const level = 2 ** (31 - Math.clz32(shape.buckets));
  const wide = b & (2 * level - 1);
  return wide < shape.buckets ? wide : b & (level - 1);
}

function pageOf(shape: IndexShape, bucket: number): number {
  if (bucket === 0) return 1;
  const group = 31 - Math.clz32(bucket);
  const start = shape.groups[group];
  if (start === undefined) throw new IndexAnomaly(`bucket ${bucket} has no group`);
  return start + bucket - 2 ** group;
}

/** A page of the bucket's chain, checked to belong to it. @param steps from the first page */
function chainPage(pages: Pages, bucket: number, number: number, steps = 0): Page {
  if (steps > CHAIN_MAX) throw new IndexAnomaly(`bucket ${bucket} has no end`);
  const page = pages.read(number);
  if (pageWord(page, OWNER) === bucket && pageWord(page, USED) <= SLOTS) return page;
  throw new IndexAnomaly(`page ${number} does not belong to bucket ${bucket}`);
}

/** The pages of a bucket, in chain order. */
function* chain(pages: Pages, shape: IndexShape, bucket: number): Generator<[number, Page]> {
  for (let number = pageOf(shape, bucket), steps = 0; number !== 0; steps++) {
    const page = chainPage(pages, bucket, number, steps);
    yield [number, page];
    number = pageWord(page, NEXT);
  }
}

export function slotEnd(page: Page): number {
  return FIRST_SLOT + pageWord(page, USED) * SLOT_WORDS;
}

export function formatTable(pages: Pages, shape: IndexShape): void {
  for (let bucket = 0; bucket < shape.buckets; bucket++) pages.fresh(pageOf(shape, bucket))[OWNER] = bucket;
}

/** Does not use `chain`: a generator costs a cold process 0.1 ms, and this is on every path. */
export function findSlot(pages: Pages, shape: IndexShape, print: Fingerprint, isIt: IsIt): Slot | undefined {
  const bucket = bucketOf(shape, print.b);
  const a = print.a | 0;
  const b = print.b | 0;
  for (let number = pageOf(shape, bucket), steps = 0; number !== 0 && steps < CHAIN_MAX; steps++) {
    const page = chainPage(pages, bucket, number);
    for (let at = FIRST_SLOT, end = slotEnd(page); at < end; at += SLOT_WORDS) {
      if (page[at] !== a || page[at + 1] !== b || kindAt(page, at) !== print.kind) continue;
      const lsn = lsnOf(page, at);
      if (isIt(lsn)) return { page: number, at, lsn };
    }
    number = pageWord(page, NEXT);
  }
  return undefined;
}

function addOverflow(pages: Pages, shape: IndexShape, bucket: number, last: number): [number, Page] {
  const number = shape.end++;
  const page = pages.fresh(number);
  page[OWNER] = bucket;
  pages.read(last)[NEXT] = number;
  pages.changed(last);
  return [number, page];
}

function insertInto(pages: Pages, shape: IndexShape, bucket: number, print: Fingerprint, lsn: Lsn): void {
  let last = 0;
  for (const [number, page] of chain(pages, shape, bucket)) {
    last = number;
    if (pageWord(page, USED) === SLOTS) continue;
    writeSlot(page, slotEnd(page), print, lsn);
    page[USED] = pageWord(page, USED) + 1;
    pages.changed(number);
    return;
  }
  const [number, page] = addOverflow(pages, shape, bucket, last);
  writeSlot(page, FIRST_SLOT, print, lsn);
  page[USED] = 1;
  pages.changed(number);
}

export function setSlot(pages: Pages, shape: IndexShape, print: Fingerprint, lsn: Lsn, isIt: IsIt): void {
  const slot = findSlot(pages, shape, print, isIt);
  if (slot !== undefined) {
    writeSlot(pages.read(slot.page), slot.at, print, lsn);
    pages.changed(slot.page);
    return;
  }
  insertInto(pages, shape, bucketOf(shape, print.b), print, lsn);
  shape.count++;
}

export function removeSlot(pages: Pages, shape: IndexShape, print: Fingerprint, isIt: IsIt): void {
  const slot = findSlot(pages, shape, print, isIt);
  if (slot === undefined) return;
  const page = pages.read(slot.page);
  const last = slotEnd(page) - SLOT_WORDS;
  page.copyWithin(slot.at, last, last + SLOT_WORDS);
  page[USED] = pageWord(page, USED) - 1;
  pages.changed(slot.page);
  shape.count = Math.max(0, shape.count - 1);
}

/** Visits every page of every bucket. */
export function eachPage(pages: Pages, shape: IndexShape, visit: (page: Page, bucket: number) => void): void {
  pages.preload();
  for (let bucket = 0; bucket < shape.buckets; bucket++) {
    for (let number = pageOf(shape, bucket), steps = 0; number !== 0; steps++) {
      const page = chainPage(pages, bucket, number, steps);
      number = pageWord(page, NEXT);
      visit(page, bucket);
    }
  }
}

function addBucket(pages: Pages, shape: IndexShape): number {
  const bucket = shape.buckets++;
  const group = 31 - Math.clz32(bucket);
  if (shape.groups.length === group) {
    if (group >= GROUPS) throw new IndexAnomaly('the index is full');
    shape.groups.push(shape.end);
    shape.end += 2 ** group;
  }
  pages.fresh(pageOf(shape, bucket))[OWNER] = bucket;
  return bucket;
}

/** Removes from a page the slots that `stays` rejects, and passes them to `leave`. */
function sift(
  page: Page,
  stays: (print: Fingerprint, lsn: Lsn) => boolean,
  leave: (print: Fingerprint, lsn: Lsn) => void,
): void {
  let to = FIRST_SLOT;
  for (let at = FIRST_SLOT; at < slotEnd(page); at += SLOT_WORDS) {
    const print = printAt(page, at);
    const lsn = lsnOf(page, at);
    if (!stays(print, lsn)) {
      leave(print, lsn);
      continue;
    }
    page.copyWithin(to, at, at + SLOT_WORDS);
    to += SLOT_WORDS;
  }
  page[USED] = (to - FIRST_SLOT) / SLOT_WORDS;
}

/**
 * Splits one bucket in two. A slot that stays in its bucket also stays in its page: moving slots between two pages that
 * are both on disk could lose or duplicate one if the process is killed between the two writes.
 */
function split(pages: Pages, shape: IndexShape, first: Lsn): void {
  const level = 2 ** (31 - Math.clz32(shape.buckets));
  const old = shape.buckets - level;
  const made = addBucket(pages, shape);
  for (const [number, page] of chain(pages, shape, old)) {
    sift(
      page,
      (print, lsn) => lsn >= first && bucketOf(shape, print.b) === old,
      (print, lsn) => {
        if (lsn < first) shape.count = Math.max(0, shape.count - 1);
        else if (bucketOf(shape, print.b) === made) insertInto(pages, shape, made, print, lsn);
      },
    );
    pages.changed(number);
  }
}

/** Splits buckets until the table has enough room. Slots below `first` point to nothing and are dropped. */
export function grow(pages: Pages, shape: IndexShape, first: Lsn): void {
  while (shape.count > LOAD * shape.buckets) split(pages, shape, first);
}
