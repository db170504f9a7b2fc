/** Finds the index slots of keys with a given prefix, each of which points to its key's newest record. */
import type { Key, Lsn } from '../../core/ledger.ts';
import { fingerprint, type Fingerprint, KIND_ID, kindOfKey } from '../fingerprint.ts';
import { eachSlot } from './each-slot.ts';
import type { LedgerFiles } from './ledger.ts';

const same = (a: Fingerprint, b: Fingerprint): boolean => a.a === b.a && a.b === b.b && a.kind === b.kind;

/** Slots of every key whose kind matches the prefix, grouped by the lsn they point to. */
export function slotsBelow(ledger: LedgerFiles, prefix: string, since: Lsn): Map<Lsn, Fingerprint[]> {
  const colon = prefix.indexOf(':');
  const kind = colon < 0 ? undefined : kindOfKey(prefix.slice(0, colon));
  const first = Math.max(ledger.header.first, since);
  const found = new Map<Lsn, Fingerprint[]>();
  const { shape, applied: end } = ledger.header;
  eachSlot(ledger.pages, shape, kind === undefined ? undefined : { kind, end }, (print, lsn) => {
    if (lsn < first || print.kind === KIND_ID) return;
    const prints = found.get(lsn);
    if (prints === undefined) found.set(lsn, [print]);
    else prints.push(print);
  });
  return found;
}

/** Whether one of these slots is the key's. */
export function isSlotOf(prints: readonly Fingerprint[], key: Key): boolean {
  const own = fingerprint(key);
  return prints.some((print) => same(print, own));
}
