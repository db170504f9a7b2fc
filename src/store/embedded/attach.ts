/**
 * Opens the ledger for one transaction or read, whatever state the last process left it in. Three tries, each
 * believing less: the index; the newest checkpoint that fits; the ledger alone. A reader does the same in
 * memory and writes nothing.
 */
import { asFailure } from '../failure.ts';
import { INDEX, list, type Listing } from './files.ts';
import { newHeader } from './header.ts';
import { type AttachOptions, fromIndex, INDEX_FILE, isComplete, openIndex } from './index-file.ts';
import { closeFiles, type LedgerFiles, segmentFile } from './ledger.ts';
import { emptyPage } from './page.ts';
import { openPages } from './pages.ts';
import { beginLedger, recover } from './recover.ts';

export type { AttachOptions } from './index-file.ts';

/** How much to believe: everything, not the index, nothing but the ledger. */
export const RECOVERY_LEVELS = ['index', 'checkpoint', 'ledger'] as const;
type Belief = (typeof RECOVERY_LEVELS)[number];

/** Nothing is known of it yet but its segments. */
export const blank = ({ dir, writable, now }: AttachOptions, { segments }: Listing): LedgerFiles => ({
  dir,
  writable,
  header: newHeader(now.boot),
  written: emptyPage(),
  pages: openPages(undefined),
  segments: [...segments],
  files: new Map(),
  records: new Map(),
  decoded_bytes: 0,
  mustStand: undefined,
});

export function isSettled(ledger: LedgerFiles): boolean {
  const { header } = ledger;
  return (
    isComplete(ledger) &&
    header.lost === 0 &&
    header.base + segmentFile(ledger, header.base).size === header.applied
  );
}

/** Uses the index, or has something to start from found or made. */
function start(ledger: LedgerFiles, options: AttachOptions, listing: Listing, belief: Belief): void {
  if (listing.segments.length === 0) beginLedger(ledger, listing, options);
  const found = openIndex(ledger.dir, INDEX, ledger.writable);
  if (found !== undefined) ledger.files.set(INDEX_FILE, found.file);
  const usesIndex = belief === 'index' && fromIndex(ledger, options, found);
  if (usesIndex && isSettled(ledger)) return;
  recover(ledger, options, listing, {
    found: found?.header,
    usesIndex,
    mayUseCheckpoint: belief !== 'ledger',
  });
}

/**
 * The ledger, believed so far. Throws IndexAnomaly where that turns out to be too much, else GUARD_ERR_CORRUPT,
 * GUARD_ERR_VERSION, GUARD_ERR_STATE_DIR, GUARD_ERR_FULL or GUARD_ERR_IO.
 */
export function attach(options: AttachOptions, belief: Belief): LedgerFiles {
  const listing = list(options.dir);
  const ledger = blank(options, listing);
  try {
    start(ledger, options, listing, belief);
    options.remembered?.recall(ledger);
    return ledger;
  } catch (error) {
    closeFiles(ledger);
    throw asFailure(error, `open the ledger in ${options.dir}`, { path: options.dir });
  }
}
