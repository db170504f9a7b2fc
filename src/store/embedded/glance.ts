/**
 * The ledger without the lock. Whoever commits appends first and writes pages then, and begins a segment in the header before
 * anything is appended to it. So a page that was read belongs to the header that was read before, if after it that header is still
 * there and the ledger ends where it says. Guards of every version write in this order.
 *
 * Only a ledger that is in order is looked at so; everything else is for those who have the lock.
 */
import { constants, fstatSync, readSync, statSync } from 'node:fs';
import { blockThread } from '../../repo/block-thread.ts';
import { IndexAnomaly } from '../failure.ts';
import { blank, isSettled } from './attach.ts';
import { INDEX, list, LOCK, type OpenFile, openFile, segmentName } from './files.ts';
import { decodeHeader, type Header } from './header.ts';
import {
  adoptIndex,
  type AttachOptions,
  fromIndex,
  INDEX_FILE,
  type IndexFile,
  isComplete,
  LOCK_FILE,
  openIndex,
} from './index-file.ts';
import { closeFiles, type LedgerFiles, segmentFile, tipMatches } from './ledger.ts';
import { emptyPage, type Page, PAGE_BYTES, pageBytes } from './page.ts';
import { optionsOf, type StorePlace } from './use.ts';

/** Up to here the index is read at once: of its pages one by one each costs two calls more. */
const WHOLE_BYTES = 128 * 1024;

export interface Glance {
  readonly ledger: LedgerFiles;
  readonly options: AttachOptions;
  readonly index: OpenFile;
  /** The lock file, not locked. */
  readonly lock: OpenFile;
}

/** Whoever comes in the middle of a commit need not wait for the lock: it is over by then, or its process is dead or not running. */
const LOOKS = 4;
const PAUSE_MS = 0.1;

/** Undefined: it takes the lock. What fails here is told by whoever has that. */
export function glance(place: StorePlace, writable: boolean): Glance | undefined {
  const files = new Map<number, OpenFile>();
  try {
    const { dir } = place;
    const lock = openFile(dir, LOCK, writable ? constants.O_RDWR : constants.O_RDONLY);
    files.set(LOCK_FILE, lock);
    const options = optionsOf(place, lock, writable);
    const listing = list(dir);
    const ledger = { ...blank(options, listing), files };
    let found = openIndex(dir, INDEX, writable);
    if (found !== undefined) files.set(INDEX_FILE, found.file);
    // What is to be taken in is written first.
    const looks_max = writable && listing.hasLate ? 0 : LOOKS;
    for (let looks = 0; looks < looks_max && fromIndex(ledger, options, found); looks++) {
      if (isSettled(ledger)) return seenIn(ledger, options, lock);
      if (!isComplete(ledger)) break;
      blockThread(PAUSE_MS);
      found = lookAgain(ledger);
    }
  } catch {
    // As said.
  }
  closeFiles({ files });
  return undefined;
}

function lookAgain(ledger: LedgerFiles): IndexFile {
  const { base } = ledger.header;
  const file = segmentFile(ledger, base);
  ledger.files.set(base, { ...file, size: fstatSync(file.fd).size });
  const index = segmentFile(ledger, INDEX_FILE);
  const page = headerIn(index);
  return { file: index, page, header: decodeHeader(page) };
}

function seenIn(ledger: LedgerFiles, options: AttachOptions, lock: OpenFile): Glance {
  const index = segmentFile(ledger, INDEX_FILE);
  ledger.mustStand = () => mustStand(ledger, index);
  const isSmall = index.size <= WHOLE_BYTES;
  if (isSmall) ledger.pages.preload();
  options.remembered?.recall(ledger);
  return { ledger, options, index, lock };
}

function headerIn({ fd }: OpenFile): Page {
  const page = emptyPage();
  readSync(fd, pageBytes(page), 0, PAGE_BYTES, 0);
  return page;
}

const isSame = (a: Page, b: Page): boolean => Buffer.compare(pageBytes(a), pageBytes(b)) === 0;

function mustStand(ledger: LedgerFiles, index: OpenFile): void {
  const { base, applied } = ledger.header;
  const { size } = fstatSync(segmentFile(ledger, base).fd);
  if (base + size !== applied || !isSame(headerIn(index), ledger.written)) throw new IndexAnomaly('moved');
}

const LASTING = ['base', 'first', 'segment', 'segments', 'home', 'boot', 'lost', 'version'] as const;

/** What of these files others may have changed meanwhile: records behind the end, and no more. */
const goesOn = (before: Header, after: Header): boolean =>
  LASTING.every((name) => before[name] === after[name]);

/** The ledger as it is now, under the lock. Throws IndexAnomaly where it must be opened anew. */
export function renew({ ledger, index, lock }: Glance, held: OpenFile): void {
  const { dir, header, written } = ledger;
  const segment = segmentFile(ledger, header.base);
  const statsOf = (name: string) => statSync(`${dir}/${name}`, { throwIfNoEntry: false });
  const there = statsOf(segmentName(header.base));
  const page = headerIn(index);
  const now = isSame(page, written) ? header : decodeHeader(page);
  const isThere =
    held.ino === lock.ino &&
    statsOf(INDEX)?.ino === index.ino &&
    there !== undefined &&
    there.ino === segment.ino;
  if (!isThere || now === undefined || !goesOn(header, now) || header.base + there.size !== now.applied)
    throw new IndexAnomaly('ledger');
  ledger.mustStand = undefined;
  if (now === header) return;
  ledger.files.set(header.base, { ...segment, size: there.size });
  // The old one too: an older ledger may have been copied over this one, into the same files, and gone on.
  if (!tipMatches(ledger, now) || !tipMatches(ledger, header)) throw new IndexAnomaly('tip');
  adoptIndex(ledger, now, page, index.fd);
}
