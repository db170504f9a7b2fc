/** The index file as a transaction finds it, and the conditions for trusting it. */
import { constants, readSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { knownErrno } from '../failure.ts';
import { RECORD_VERSION } from '../record.ts';
import type { AppendOptions } from './append.ts';
import { openFile, type OpenFile } from './files.ts';
import { bootPrint, decodeHeader, filePrint, type Header } from './header.ts';
import type { Home } from './home-identity.ts';
import type { Remembered } from './remembered.ts';
import { type LedgerFiles, segmentFile, tipMatches } from './ledger.ts';
import { emptyPage, type Page, PAGE_BYTES, pageBytes } from './page.ts';
import { openPages } from './pages.ts';

export interface AttachOptions extends AppendOptions {
  readonly dir: string;
  readonly writable: boolean;
  readonly now: Now;
  /** The lock file. */
  readonly home: Home;
  /** Open the ledger even if it is a copy of another one. */
  readonly adopts?: boolean;
  readonly remembered?: Remembered | undefined;
}

/** Keys under which an opened ledger keeps files that are not segments, so that they are closed together. */
export const INDEX_FILE: Lsn = -1;
export const PAGE_FILE: Lsn = -2;
export const SCRATCH_FILE: Lsn = -3;
export const PATHS_FILE: Lsn = -4;
export const LOCK_FILE: Lsn = -5;

export interface IndexFile {
  readonly file: OpenFile;
  readonly page: Page;
  readonly header: Header | undefined;
}

export function openIndex(dir: string, name: string, writable: boolean): IndexFile | undefined {
  let file: OpenFile;
  try {
    file = openFile(dir, name, writable ? constants.O_RDWR : constants.O_RDONLY);
  } catch (error) {
    if (knownErrno(error) === 'ENOENT') return undefined;
    throw error;
  }
  const page = emptyPage();
  const got = readSync(file.fd, pageBytes(page), 0, PAGE_BYTES, 0);
  return { file, page, header: got === PAGE_BYTES ? decodeHeader(page) : undefined };
}

/** Uses this header. `fd` is the file with its pages; undefined if there is none. */
export function adoptIndex(ledger: LedgerFiles, header: Header, page: Page, fd: number | undefined): void {
  ledger.header = header;
  ledger.written = page;
  ledger.pages = openPages(fd, () => ledger.mustStand?.());
  if ((ledger.segments[0] ?? header.first) < header.first) {
    ledger.segments = ledger.segments.filter((base) => base >= header.first);
  }
}

export function isComplete({ segments, header }: LedgerFiles): boolean {
  return (
    segments.length === header.segments && segments[0] === header.first && segments.at(-1) === header.base
  );
}

/** Uses the index if it is from this boot and this ledger, not from a newer guard, and the ledger has what it says. */
export function fromIndex(
  ledger: LedgerFiles,
  { now, home }: AttachOptions,
  found: IndexFile | undefined,
): boolean {
  const header = found?.header;
  if (found === undefined || header === undefined) return false;
  if (
    header.boot !== bootPrint(now.boot) ||
    header.home !== filePrint(home) ||
    !ledger.segments.includes(header.base)
  )
    return false;
  if (header.version > RECORD_VERSION) return false;
  const segment = segmentFile(ledger, header.base);
  if (filePrint(segment) !== header.segment) return false;
  const shortened = header.base + segment.size < header.applied;
  if (!shortened && !tipMatches(ledger, header)) return false;
  adoptIndex(ledger, header, found.page, found.file.fd);
  return true;
}
