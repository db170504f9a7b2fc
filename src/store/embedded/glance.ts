/**
 * Reads the ledger without the lock. A commit appends records first and writes index pages afterwards, and a new
 * segment is entered in the header before anything is appended to it. So a page belongs to the header that was read
 * before it if that header is unchanged afterwards and the ledger still ends where it says. Guards of every version
 * write in this order.
 *
 * Only a ledger in good order is read this way; every other case is left to the holder of the lock.
 */
import { constants, fstatSync, readSync, statSync } from 'node:fs';
import { blockThread } from '../../repo/block-thread.ts';
import { IndexAnomaly, isIndexAnomaly } from '../failure.ts';
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

/** An index up to this size is read as a whole: reading it page by page costs two extra calls per page. */
const WHOLE_BYTES = 128 * 1024;

export interface Glance {
  readonly ledger: LedgerFiles;
  readonly options: AttachOptions;
  readonly index: OpenFile;
  /** The lock file, opened but not locked. */
  readonly lock: OpenFile;
}

/** A reader that meets a commit in progress retries instead of locking: by then it has ended, or its process is dead or stopped. */
const LOOKS = 4;
const PAUSE_MS = 0.1;

/** A look under the lock reads up to 4 MiB at once, so that nothing is read from the index after the lock is released. */
const LARGER_HELD = 32;

/**
 * Null means: another process was in the middle of a commit. Undefined means: take the lock. Whatever failed here is reported under
 * the lock.
 * @param isHeld whether the caller holds the lock
 */
export function glance(place: StorePlace, writable: boolean, isHeld: boolean): Glance | null | undefined {
  const files = new Map<number, OpenFile>();
  let isUnsettled = false;
  try {
    const { dir } = place;
    const lock = openFile(dir, LOCK, writable ? constants.O_RDWR : constants.O_RDONLY);
    files.set(LOCK_FILE, lock);
    const options = optionsOf(place, lock, writable);
    const listing = list(dir);
    const ledger = { ...blank(options, listing), files };
    let found = openIndex(dir, INDEX, writable);
    if (found !== undefined) files.set(INDEX_FILE, found.file);
    // Late events must be written before anything is read.
    const looks_max = writable && listing.hasLate ? 0 : isHeld ? 1 : LOOKS;
    for (let looks = 0; looks < looks_max && fromIndex(ledger, options, found); looks++) {
      if (isSettled(ledger)) return seenIn(ledger, options, lock, isHeld);
      isUnsettled = isComplete(ledger);
      if (!isUnsettled) break;
      blockThread(PAUSE_MS);
      found = lookAgain(ledger);
    }
  } catch (error) {
    isUnsettled = isIndexAnomaly(error);
  }
  closeFiles({ files });
  return isUnsettled ? null : undefined;
}

function lookAgain(ledger: LedgerFiles): IndexFile {
  const { base } = ledger.header;
  const file = segmentFile(ledger, base);
  ledger.files.set(base, { ...file, size: fstatSync(file.fd).size });
  const index = segmentFile(ledger, INDEX_FILE);
  const page = headerIn(index);
  return { file: index, page, header: decodeHeader(page) };
}

function seenIn(ledger: LedgerFiles, options: AttachOptions, lock: OpenFile, isHeld: boolean): Glance {
  const index = segmentFile(ledger, INDEX_FILE);
  ledger.mustStand = () => mustStand(ledger, index);
  const isSmall = index.size <= WHOLE_BYTES * (isHeld ? LARGER_HELD : 1);
  if (isSmall) ledger.pages.preload();
  options.remembered?.recall(ledger);
  return { ledger, options, index, lock };
}

function headerIn({ fd }: OpenFile): Page {
  const page = emptyPage();
  readSync(fd, pageBytes(page), 0, PAGE_BYTES, 0);
  return page;
}

const isSame = (a: Page, b: Page): boolean => a.every((word, at) => word === b[at]);

function mustStand(ledger: LedgerFiles, index: OpenFile): void {
  const { base, applied } = ledger.header;
  const { size } = fstatSync(segmentFile(ledger, base).fd);
  if (base + size !== applied || !isSame(headerIn(index), ledger.written)) throw new IndexAnomaly('moved');
}

const LASTING = ['base', 'first', 'segment', 'segments', 'home', 'boot', 'lost', 'version'] as const;

/** Whether others can only have appended records in the meantime, and changed nothing else in these files. */
const goesOn = (before: Header, after: Header): boolean =>
  LASTING.every((name) => before[name] === after[name]);

/** Brings the ledger up to date under the lock. Throws IndexAnomaly if it has to be opened again. */
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
  // Check the old tip too: an older ledger may have been copied over this one, into the same files, and then written to.
  if (!tipMatches(ledger, now) || !tipMatches(ledger, header)) throw new IndexAnomaly('tip');
  adoptIndex(ledger, now, page, index.fd);
}
