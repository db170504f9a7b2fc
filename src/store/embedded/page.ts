/**
 * A page of the index: 128 words of 32 bits, the last of which is a checksum over the others and the page's number.
 * It exposes torn pages, flipped bits and pages written to the wrong place.
 */
import { nativeCode } from '../../repo/native.ts';
import { pageSumByTurns } from '../plain-sums.ts';

export const PAGE_BYTES = 512;
const PAGE_WORDS = PAGE_BYTES / 4;
const SUM_WORD = PAGE_WORDS - 1;

export type Page = Int32Array;

/** Reads a word. The `?? 0` is only for the type system, which does not know that a page is never too short. */
export function pageWord(page: Page, at: number): number {
  return page[at] ?? 0;
}

/** An unsigned number of up to 53 bits in two words. */
export function wide(page: Page, at: number): number {
  return (pageWord(page, at) >>> 0) + (pageWord(page, at + 1) >>> 0) * 0x1_0000_0000;
}

export function setWide(page: Page, at: number, value: number): void {
  page[at] = value | 0;
  page[at + 1] = Math.floor(value / 0x1_0000_0000) | 0;
}

/** One multiplication per word: a quarter of the work of a CRC. */
const pageSum = (page: Page, number: number): number =>
  nativeCode().pageSum?.(page, number) ?? pageSumByTurns(page, number);

export function sealPage(page: Page, number: number): Page {
  page[SUM_WORD] = pageSum(page, number);
  return page;
}

export function isSealed(page: Page, number: number): boolean {
  return pageWord(page, SUM_WORD) === pageSum(page, number);
}

export function emptyPage(): Page {
  return new Int32Array(PAGE_WORDS);
}

const ROOM_PAGES = 32;

/** Empty pages, which share buffers: a compaction reads hundreds of thousands. */
export function pageRoom(): () => Page {
  let room = new ArrayBuffer(0);
  let used = 0;
  return () => {
    if (used === room.byteLength) [room, used] = [new ArrayBuffer(ROOM_PAGES * PAGE_BYTES), 0];
    used += PAGE_BYTES;
    return new Int32Array(room, used - PAGE_BYTES, PAGE_WORDS);
  };
}

export function pageBytes(page: Page): Uint8Array {
  return new Uint8Array(page.buffer, page.byteOffset, PAGE_BYTES);
}
