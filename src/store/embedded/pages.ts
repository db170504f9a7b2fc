/**
 * The index's pages: read on demand, changed in memory, written by `flush`. A reader uses the same pages but
 * never flushes, so it can catch up with the ledger without writing a byte.
 *
 * A process may be killed between any two writes of a flush. What it leaves must be an index that lags
 * behind, never one that is wrong. So the order is:
 * 1. pages that no old page refers to (fresh ones),
 * 2. if the table grew: the header with the new shape, still at the old lsn,
 * 3. pages that were there before,
 * 4. the header at the new lsn.
 * If killed before step 4, the next process applies the same records again, which is idempotent.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import { IndexAnomaly } from '../failure.ts';
import { withShapeOf } from './header.ts';
import { isSealed, type Page, PAGE_BYTES, pageBytes, pageRoom, sealPage } from './page.ts';

const PRELOAD_BYTES = 4 * 1024 * 1024;

export interface Pages {
  /** The page, verified. Throws IndexAnomaly if it is torn, corrupted, misplaced or missing. */
  read(number: number): Page;
  /** A new, empty page that replaces any page with this number. */
  fresh(number: number): Page;
  /** Reads the whole file in one go, for callers that will ask for every page. */
  preload(): void;
  /** Marks a page that `read` returned as changed. */
  changed(number: number): void;
  /** Writes everything that changed, then the header `after`. `before` is the header that is on disk. */
  flush(before: Page, after: Page): void;
}

function writePage(fd: number, page: Page, number: number): void {
  const written = writeSync(fd, pageBytes(page), 0, PAGE_BYTES, number * PAGE_BYTES);
  if (written !== PAGE_BYTES) throw new IndexAnomaly(`page ${number} was written in part`);
}

/** The file's bytes, unverified. */
export function readWhole(fd: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(fd).size);
  let got = 0;
  while (got < bytes.length) {
    const part = readSync(fd, bytes, got, Math.min(bytes.length - got, PRELOAD_BYTES), got);
    if (part === 0) break;
    got += part;
  }
  return bytes.subarray(0, got);
}

/** A page as a view of the file's bytes, which nothing else uses: copying each would triple the cost of a listing. */
const pageIn = ({ buffer, byteOffset }: Uint8Array, at: number): Page =>
  (byteOffset + at) % 4 === 0
    ? new Int32Array(buffer as ArrayBuffer, byteOffset + at, PAGE_BYTES / 4)
    : new Int32Array(buffer.slice(byteOffset + at, byteOffset + at + PAGE_BYTES) as ArrayBuffer);

/**
 * `file` is a descriptor, or the bytes of an index that is only read; undefined for an index in memory.
 * @param wasRead called whenever something was read from the file
 */
export function openPages(file: number | Uint8Array | undefined, wasRead = (): void => undefined): Pages {
  const cache = new Map<number, Page>();
  const freshOnes = new Set<number>();
  const changedOnes = new Set<number>();
  const emptyPage = pageRoom();
  const fd = typeof file === 'number' ? file : undefined;
  let whole = typeof file === 'number' ? undefined : file;

  function load(number: number): Page {
    const at = number * PAGE_BYTES;
    const inside = whole !== undefined && at + PAGE_BYTES <= whole.length;
    const page = inside && whole !== undefined ? pageIn(whole, at) : emptyPage();
    const got = inside ? PAGE_BYTES : fd === undefined ? 0 : readSync(fd, pageBytes(page), 0, PAGE_BYTES, at);
    if (!inside) wasRead();
    if (got !== PAGE_BYTES || !isSealed(page, number)) throw new IndexAnomaly(`page ${number} is damaged`);
    return page;
  }

  function write(file: number, numbers: Set<number>): void {
    for (const number of numbers) writePage(file, sealPage(cache.get(number) ?? emptyPage(), number), number);
    numbers.clear();
  }

  return {
    read(number) {
      const known = cache.get(number);
      if (known !== undefined) return known;
      const page = load(number);
      cache.set(number, page);
      return page;
    },
    fresh(number) {
      const page = emptyPage();
      cache.set(number, page);
      freshOnes.add(number);
      return page;
    },
    preload() {
      if (fd === undefined || whole !== undefined) return;
      whole = readWhole(fd);
      wasRead();
    },
    changed(number) {
      if (!freshOnes.has(number)) changedOnes.add(number);
    },
    flush(before, after) {
      if (fd === undefined) throw new IndexAnomaly('an index in memory cannot be written');
      write(fd, freshOnes);
      const grown = withShapeOf(before, after);
      if (grown !== undefined) writePage(fd, grown, 0);
      write(fd, changedOnes);
      writePage(fd, after, 0);
    },
  };
}
