// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Repairs an index that lags behind, cannot be trusted or is missing, from the newest checkpoint that fits or from the
 * ledger alone. Then repairs the ledger's end and adds a record of that.
 */
import { constants, copyFileSync, renameSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { IndexAnomaly } from '../failure.ts';
import { corrupt } from '../told-failure.ts';
import { FIRST_LSN, RECORD_VERSION } from '../record.ts';
import { appendNew } from './append.ts';
import { catchUp } from './catch-up.ts';
import { checkpointName, close, INDEX, type Listing, openFile, removeFile, segmentName } from './files.ts';
import { bootPrint, encodeHeader, filePrint, type Header, newHeader } from './header.ts';
import { adoptIndex, isComplete, openIndex, PAGE_FILE, SCRATCH_FILE } from './index-file.ts';
import type { AttachOptions, IndexFile } from './index-file.ts';
import { flushIndex, type LedgerFiles, segmentFile, tipMatches } from './ledger.ts';
import { checkFileSystem } from './network-fs.ts';
import { refuseNewer } from './newer.ts';
import { makeSegment } from './rotate.ts';
import { checkSegments } from './segments.ts';
import { formatTable } from './table.ts';
import { type Caches, copied, isPrintOf, judgeHome, writeHome } from './home.ts';
import { cutRecords, settleTail, type TailFacts } from './tail.ts';

const SCRATCH = 'index.tmp';

/** Begins a ledger, unless there are remains of an earlier one. */
export function beginLedger(
  ledger: LedgerFiles,
  listing: Listing,
  { dir, writable, durable }: AttachOptions,
): void {
  if (listing.hasIndex || listing.checkpoints.length > 0) throw missingAll(dir);
  if (!writable) return;
  checkFileSystem(dir);
  makeSegment(dir, FIRST_LSN, durable);
  ledger.segments.push(FIRST_LSN);
}

function missingAll(dir: string): Error {
  const segment = segmentName(FIRST_LSN);
  return corrupt(`${dir} has an index but no ledger`, { segment, lsn: FIRST_LSN, reason: 'missing_segment' });
}

/** What the index and the newest checkpoint know about the ledger, even if they are not used. */
interface Witness {
  readonly powerLoss: TailFacts['powerLoss'];
  /** Everything before this lsn was acknowledged, and nothing since can have undone that. */
  readonly acknowledged: Lsn;
  /** Every lsn below this may have been given out before a power cut. */
  readonly lost: Lsn;
  /** For a copy that is being adopted: how far the original's index went. */
  readonly original: Lsn;
  /** Where acknowledged records end, if the index knows that for certain; otherwise undefined. */
  readonly end: Lsn | undefined;
}

function indexWitness(ledger: LedgerFiles, { now, home }: AttachOptions, found: Header | undefined): Witness {
  const nothing = { lost: 0, original: 0, acknowledged: 0, end: undefined };
  if (found === undefined) return { ...nothing, powerLoss: 'maybe' };
  if (!isPrintOf(found.home, home)) return { ...nothing, powerLoss: 'maybe', original: found.applied };
  const rebooted = found.boot !== bootPrint(now.boot);
  if (rebooted || found.lost > 0) {
    return { ...nothing, powerLoss: 'yes', lost: Math.max(found.lost, rebooted ? found.applied : 0) };
  }
  const isThere = ledger.segments.includes(found.base);
  const same = !isThere || isPrintOf(found.segment, segmentFile(ledger, found.base));
  const end = isThere && same && found.base === ledger.segments.at(-1) ? found.applied : undefined;
  return { ...nothing, powerLoss: 'no', acknowledged: same ? found.applied : 0, end };
}

/** A checkpoint is synced after the ledger it covers, so it remains valid across a power cut. */
function checkpointWitness({ home }: AttachOptions, newest: Checkpoint | undefined): Lsn {
  const header = newest?.header;
  return header !== undefined && isPrintOf(header.home, home) ? header.applied : 0;
}

function witness(
  ledger: LedgerFiles,
  options: AttachOptions,
  found: Header | undefined,
  listing: Listing,
): Witness {
  const newest = openCheckpoint(options.dir, listing.checkpoints.at(-1));
  if (newest !== undefined) close(newest.file.fd);
  settleHome(ledger, options, { index: found, checkpoint: newest?.header });
  const seen = indexWitness(ledger, options, found);
  return { ...seen, acknowledged: Math.max(seen.acknowledged, checkpointWitness(options, newest)) };
}

/**
 * Refuses a copy that has not been adopted, and records which place this is.
 * @throws GuardError GUARD_ERR_COPIED
 */
function settleHome(
  ledger: LedgerFiles,
  { dir, home, writable, adopts, durable }: AttachOptions,
  { index, checkpoint }: Omit<Caches, 'segment'>,
): void {
  if (adopts === true) return;
  const isThere = index !== undefined && ledger.segments.includes(index.base);
  const segment = isThere ? segmentFile(ledger, index.base) : undefined;
  const { isCopy, known } = judgeHome(dir, home, { index, checkpoint, segment });
  if (isCopy) throw copied(dir, home, known);
  if (known === undefined && writable) writeHome(dir, home, durable);
}

interface Checkpoint extends IndexFile {
  readonly name: string;
}

function openCheckpoint(dir: string, lsn: Lsn | undefined): Checkpoint | undefined {
  const name = checkpointName(lsn ?? 0);
  const found = lsn === undefined ? undefined : openIndex(dir, name, false);
  return found && { ...found, name };
}

const fits = (ledger: LedgerFiles, header: Header): boolean =>
  header.version <= RECORD_VERSION && ledger.segments.includes(header.base) && tipMatches(ledger, header);

/** The newest checkpoint that agrees with the ledger. */
function findCheckpoint(
  ledger: LedgerFiles,
  listing: Listing,
): (Checkpoint & { readonly header: Header }) | undefined {
  for (const lsn of [...listing.checkpoints].reverse()) {
    const checkpoint = openCheckpoint(ledger.dir, lsn);
    const header = checkpoint?.header;
    if (checkpoint === undefined) continue;
    if (header !== undefined && fits(ledger, header)) return { ...checkpoint, header };
    close(checkpoint.file.fd);
  }
  return undefined;
}

/** Opens a new index under another name; `replaceIndex` moves it into place once it is complete. */
function openScratch(ledger: LedgerFiles, copyOf: string | undefined): number {
  const scratch = `${ledger.dir}/${SCRATCH}`;
  checkFileSystem(ledger.dir);
  removeFile(scratch);
  if (copyOf !== undefined)
    copyFileSync(`${ledger.dir}/${copyOf}`, scratch, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const file = openFile(ledger.dir, SCRATCH, constants.O_RDWR | constants.O_CREAT);
  ledger.files.set(SCRATCH_FILE, file);
  return file.fd;
}

function replaceIndex(ledger: LedgerFiles): void {
  flushIndex(ledger);
  if (ledger.writable) renameSync(`${ledger.dir}/${SCRATCH}`, `${ledger.dir}/${INDEX}`);
}

function renew(header: Header, { now, home, adopts }: AttachOptions, { lost, powerLoss }: Witness): Header {
  return {
    ...header,
    boot: bootPrint(now.boot),
    home: adopts === true ? 0 : filePrint(home),
    segment: 0,
    lost: powerLoss === 'yes' ? Math.max(lost, header.applied, FIRST_LSN) : 0,
  };
}

/** Returns false if no checkpoint fits. */
function fromCheckpoint(
  ledger: LedgerFiles,
  options: AttachOptions,
  seen: Witness,
  listing: Listing,
): boolean {
  const checkpoint = findCheckpoint(ledger, listing);
  if (checkpoint === undefined) return false;
  ledger.files.set(PAGE_FILE, checkpoint.file);
  // A checkpoint does not tell which guard wrote its index keys.
  const header = { ...renew(checkpoint.header, options, seen), indexed: 0 };
  adoptIndex(
    ledger,
    header,
    checkpoint.page,
    options.writable ? openScratch(ledger, checkpoint.name) : checkpoint.file.fd,
  );
  replaceIndex(ledger);
  checkSegments(ledger);
  return true;
}

function fromNothing(ledger: LedgerFiles, options: AttachOptions, seen: Witness): void {
  const first = ledger.segments[0] ?? FIRST_LSN;
  const header = renew({ ...newHeader(options.now.boot), applied: first, base: first, first }, options, seen);
  adoptIndex(
    ledger,
    header,
    encodeHeader(header),
    options.writable ? openScratch(ledger, undefined) : undefined,
  );
  formatTable(ledger.pages, header.shape);
  replaceIndex(ledger);
  checkSegments(ledger);
}

function shorter({ header, files }: LedgerFiles, acknowledged: Lsn): Error {
  const segment = segmentName(header.base);
  const end = header.base + (files.get(header.base)?.size ?? 0);
  return corrupt(`${segment} ends at lsn ${end}, but records up to ${acknowledged} were acknowledged`, {
    segment,
    lsn: end,
    offset: end - header.base,
    acknowledged,
    reason: 'shorter',
  });
}

/** Applies what the index lacks, repairs the ledger's end, and records that in the ledger. */
function settle(ledger: LedgerFiles, seen: Witness, options: AttachOptions): void {
  const { header } = ledger;
  if (ledger.segments.length === 0) return;
  const shortened = header.base + segmentFile(ledger, header.base).size < header.applied;
  const tail = shortened ? undefined : catchUp(ledger);
  if (tail === undefined && (shortened || header.applied < seen.acknowledged))
    throw shorter(ledger, seen.acknowledged);
  const cut =
    tail === undefined ? undefined : settleTail(ledger, tail, { ...seen, durable: options.durable });
  if (!ledger.writable) return;
  const lost = Math.max(seen.lost, cut?.cause === 'power_loss' ? cut.at + cut.bytes : 0);
  header.lost = 0;
  if (cut === undefined && lost <= header.applied) flushIndex(ledger);
  else if (!appendNew(ledger, cutRecords(header.applied, lost, cut, options.now), options))
    throw new IndexAnomaly('the cut is not in the index');
}

interface Recovery {
  /** The header of the existing index, whether it is used or not. */
  readonly found: Header | undefined;
  /** The ledger has adopted the index, which only lags behind. */
  readonly usesIndex: boolean;
  readonly mayUseCheckpoint: boolean;
}

/** Leaves the ledger with an index that has applied every record, or throws. */
export function recover(
  ledger: LedgerFiles,
  options: AttachOptions,
  listing: Listing,
  { found, usesIndex, mayUseCheckpoint }: Recovery,
): void {
  if (found !== undefined && found.version > RECORD_VERSION) refuseNewer(ledger);
  const seen = witness(ledger, options, found, listing);
  if (usesIndex && !isComplete(ledger)) checkSegments(ledger);
  const usesCheckpoint = !usesIndex && mayUseCheckpoint && fromCheckpoint(ledger, options, seen, listing);
  if (!usesIndex && !usesCheckpoint) fromNothing(ledger, options, seen);
  settle(ledger, seen, options);
}
