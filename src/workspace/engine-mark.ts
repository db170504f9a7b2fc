// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What a shared ledger's engine acknowledged last to this machine, across boots and clones. An engine that shows less
 * was restored to an earlier moment. Losing the file only delays that discovery.
 */
import { attempt } from '../core/attempt.ts';
import { asObject, parsedObject } from '../core/json-object.ts';
import type { Key, Lsn } from '../core/ledger.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';

export interface EngineMark {
  /** Of the engine's clock; numbers of different epochs are not compared. */
  readonly epoch: string;
  readonly lsn: Lsn;
  /** The states that were written last, each with the number of its record. */
  readonly written: Readonly<Record<Key, Lsn>>;
}

const FILE = 'engine.mark';
/** A few dozen bytes each; the file is rewritten by each commit. */
const WRITTEN_MAX = 64;
const MAX_BYTES = 1 << 20;

export function readAcknowledged(dir: string): EngineMark | null {
  const { epoch, lsn, written } = parsedObject(textOf(`${dir}/${FILE}`, MAX_BYTES));
  const isWhole = typeof epoch === 'string' && Number.isSafeInteger(lsn);
  return isWhole ? { epoch, lsn: lsn as Lsn, written: asObject(written) as EngineMark['written'] } : null;
}

export interface Acknowledged extends Omit<EngineMark, 'written'> {
  /** Null: not to be expected any longer. */
  readonly written: Readonly<Record<Key, Lsn | null>>;
}

/**
 * Two processes may race, and one that writes an older mark of the same epoch may win: it is as true as the other. What
 * another epoch acknowledged with a larger number is newer, and stays.
 */
export function noteAcknowledged(dir: string, { epoch, lsn, written }: Acknowledged): void {
  const known = readAcknowledged(dir);
  if (known !== null && known.epoch !== epoch && known.lsn >= lsn) return;
  const before = known?.epoch === epoch ? known : { lsn: 0, written: {} };
  const others = Object.entries(before.written).filter(([key]) => !(key in written));
  const own = Object.entries(written).filter((one): one is [Key, Lsn] => one[1] !== null);
  const newest = [...others, ...own].slice(-WRITTEN_MAX);
  const mark: EngineMark = {
    epoch,
    lsn: Math.max(lsn, before.lsn),
    written: Object.fromEntries(newest),
  };
  attempt(() => replaceWithin(dir, FILE, `${JSON.stringify(mark)}\n`, true), undefined);
}
