/**
 * Opens the ledger for one transaction or read, whatever state the last process left it in. There are three attempts,
 * each trusting less: the index, then the newest checkpoint that fits, then the ledger alone. A reader does the same in
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

/** What to trust: everything, everything but the index, or only the ledger. */
export const RECOVERY_LEVELS = ['index', 'checkpoint', 'ledger'] as const;
type Belief = (typeof RECOVERY_LEVELS)[number];

/** An opened ledger of which only the segments are known so far. */
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

/** Uses the index, or finds or builds something else to start from. */
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
 * Opens the ledger, trusting it as far as `belief` says. Throws IndexAnomaly if that proves too much, otherwise
 * GUARD_ERR_CORRUPT, GUARD_ERR_VERSION, GUARD_ERR_STATE_DIR, GUARD_ERR_FULL or GUARD_ERR_IO.
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
