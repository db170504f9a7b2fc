// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Lists the keys below a prefix: an index scan, then a read of each record it points to. Plain writes never need this. */
import type { Json, Key, LedgerRecord, Lsn } from '../../core/ledger.ts';
import { PATHS } from '../../core/keys.ts';
import { fingerprint, type Fingerprint } from '../fingerprint.ts';
import type { Index, Listed } from '../store.ts';
import { readAhead } from './ahead.ts';
import { eachSlot } from './each-slot.ts';
import type { IndexShape } from './header.ts';
import { type LedgerFiles, recordAt } from './ledger.ts';
import type { Pages } from './pages.ts';
import { type Found, newestIn } from './newest.ts';
import { pathKeysIn } from './path-keys.ts';
import { isSlotOf, slotsBelow } from './slots.ts';

/** The end of the ledger rarely has more. */
const FEW = 128;

/** The live keys of a record, that is, those whose slot points to it. */
function liveIn({ s }: LedgerRecord, prints: readonly Fingerprint[], prefix: string): [Key, Json][] {
  const found: [Key, Json][] = [];
  for (const key of Object.keys(s)) {
    const state = s[key] ?? null;
    if (state !== null && key.startsWith(prefix) && isSlotOf(prints, key)) found.push([key, state]);
  }
  return found;
}

/**
 * The list is in key order. It omits keys whose newest record is older than `since`, and those in records older than
 * needed for `most`. The version detects every change: one that adds or alters a key has a larger lsn than all before
 * it, and one that only removes keys leaves fewer of them, or an older newest record.
 */
export function range(
  ledger: LedgerFiles,
  { below, since, most = 0, after }: Index,
): Pick<Listed, 'entries' | 'keys' | 'version'> {
  if (after !== undefined) return pageOf(ledger, { below, since, most, after });
  const { entries, newest, oldest } =
    few(ledger, { below, since, most }) ?? scan(ledger, { below, since, most });
  entries.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return { entries, version: `${newest} ${oldest} ${entries.length}` };
}

/** The newest keys, if `most` is small enough to find them without the index. */
const few = (ledger: LedgerFiles, { below, since, most = 0 }: Index): Found | undefined =>
  most > 0 && most <= FEW && since === 0 ? newestIn(ledger, below, most) : undefined;

/** Looks at every slot. */
function scan(ledger: LedgerFiles, { below, since, most = 0 }: Index): Found {
  const found = [...slotsBelow(ledger, below, since)].sort(([a], [b]) => b - a);
  const lsns = found.map(([lsn]) => lsn);
  const entries: [Key, Json][] = [];
  let [newest, oldest] = [0, 0];
  for (const [at, [lsn, prints]] of found.entries()) {
    readAhead(ledger, lsns, at);
    if (most > 0 && entries.length >= most) break;
    const own = liveIn(recordAt(ledger, lsn), prints, below);
    if (own.length === 0) continue;
    entries.push(...own);
    newest ||= lsn;
    oldest = lsn;
  }
  return { entries, newest, oldest };
}

/** Keys without states, and only for paths, because nothing else is listed this way. The version covers all of them. */
function pageOf(
  ledger: LedgerFiles,
  { below, since, most, after }: Required<Index>,
): Pick<Listed, 'entries' | 'keys' | 'version'> {
  const all = below.startsWith(PATHS) ? pathKeysIn(ledger, below, after, since > 0 ? 0 : most) : null;
  const keys = all !== null && since > 0 ? newerOf(ledger, all, since).slice(0, most || undefined) : all;
  const { a, b } = fingerprint(keys?.join('\0') ?? '');
  return { entries: [], keys, version: `${keys?.length ?? 'none'} ${a} ${b}` };
}

function newerOf(ledger: LedgerFiles, keys: readonly Key[], since: Lsn): readonly Key[] {
  const newer = new Map<number, Fingerprint[]>();
  for (const prints of slotsBelow(ledger, PATHS, since).values())
    for (const print of prints) newer.set(print.a, [...(newer.get(print.a) ?? []), print]);
  return keys.filter((key) => isSlotOf(newer.get(fingerprint(key).a) ?? [], key));
}

/** The lsns that the slots point to. */
export function lsnsIn(pages: Pages, shape: IndexShape): Lsn[] {
  const found: Lsn[] = [];
  eachSlot(pages, shape, undefined, (_, lsn) => found.push(lsn));
  return found;
}
