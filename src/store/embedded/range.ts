// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Every key below a prefix: a scan of the index, then a read for every record that it leads to. Not for a plain write. */
import type { Json, Key, LedgerRecord, Lsn } from '../../core/ledger.ts';
import { fingerprint, type Fingerprint, KIND_ID, kindOfKey } from '../fingerprint.ts';
import type { Index, Listed } from '../store.ts';
import type { IndexShape } from './header.ts';
import { type LedgerFiles, recordAt } from './ledger.ts';
import type { Pages } from './pages.ts';
import { eachSlot } from './table.ts';

const same = (a: Fingerprint, b: Fingerprint): boolean => a.a === b.a && a.b === b.b && a.kind === b.kind;

/** Slots of every key whose kind the prefix allows, by the lsn they point to. */
function slotsBelow(ledger: LedgerFiles, prefix: string, since: Lsn): Map<Lsn, Fingerprint[]> {
  const colon = prefix.indexOf(':');
  const kind = colon < 0 ? undefined : kindOfKey(prefix.slice(0, colon));
  const first = Math.max(ledger.header.first, since);
  const found = new Map<Lsn, Fingerprint[]>();
  eachSlot(ledger.pages, ledger.header.shape, kind, (print, lsn) => {
    if (lsn < first || print.kind === KIND_ID) return;
    const prints = found.get(lsn);
    if (prints === undefined) found.set(lsn, [print]);
    else prints.push(print);
  });
  return found;
}

/** The live keys of a record: those whose slot points to it. */
function liveIn(record: LedgerRecord, prints: readonly Fingerprint[], prefix: string): [Key, Json][] {
  return Object.entries(record.s).filter(([key, state]) => {
    if (state === null || !key.startsWith(prefix)) return false;
    const own = fingerprint(key);
    return prints.some((print) => same(print, own));
  });
}

/**
 * In key order. Keys whose newest record is older than `since` are left out, and those in older records than it takes for
 * `most`. Version: every change that adds or alters a key has a larger lsn than all before it, one that only removes keys
 * leaves fewer of them, or goes back to an older record.
 */
export function range(
  ledger: LedgerFiles,
  { below, since, most = 0 }: Index,
): Pick<Listed, 'entries' | 'version'> {
  const found = [...slotsBelow(ledger, below, since)].sort(([a], [b]) => b - a);
  const entries: [Key, Json][] = [];
  let [newest, oldest] = [0, 0];
  for (const [lsn, prints] of found) {
    if (most > 0 && entries.length >= most) break;
    const own = liveIn(recordAt(ledger, lsn), prints, below);
    if (own.length === 0) continue;
    entries.push(...own);
    newest ||= lsn;
    oldest = lsn;
  }
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries, version: `${newest} ${oldest} ${entries.length}` };
}

/** Where the slots lead. */
export function lsnsIn(pages: Pages, shape: IndexShape): Lsn[] {
  const found: Lsn[] = [];
  eachSlot(pages, shape, undefined, (_, lsn) => found.push(lsn));
  return found;
}
