/** Rewrites the states of old segments at the end of the ledger, or records there that they were dropped. */
import type { Json, Key, Lsn } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { KIND_ID } from '../fingerprint.ts';
import { CARRY_TYPE } from '../record.ts';
import { readAhead } from './ahead.ts';
import { appendNew, type AppendOptions } from './append.ts';
import type { CompactOptions } from './compact-report.ts';
import { eachSlot } from './each-slot.ts';
import { type LedgerFiles, lookup, newestOf, recordAt } from './ledger.ts';

const CARRY_BYTES = 64 * 1024;

export interface Carried {
  readonly carried: number;
  readonly forgotten: number;
}

interface CarryHow {
  readonly now: Now;
  readonly remains: NonNullable<CompactOptions['remains']>;
}

/** Lsns below `first` that the index still points to, ascending. */
export function pointedBelow(ledger: LedgerFiles, first: Lsn): Lsn[] {
  const found = new Set<Lsn>();
  eachSlot(ledger.pages, ledger.header.shape, undefined, ({ kind }, lsn) => {
    if (kind !== KIND_ID && lsn < first && lsn >= ledger.header.first) found.add(lsn);
  });
  return [...found].sort((a, b) => a - b);
}

/** The states for which one of these records is still the newest. */
function liveStates(ledger: LedgerFiles, lsns: readonly Lsn[]): [Key, Json][] {
  return lsns.flatMap((lsn, at) => {
    readAhead(ledger, lsns, at);
    return Object.entries(recordAt(ledger, lsn).s).filter(
      ([key, state]) => state !== null && newestOf(ledger, key) === lsn,
    );
  });
}

/** Hundreds of keys: as properties of an object with a prototype, V8 makes a hidden class for each (6 µs a key instead of 2). */
function statesOf(entries: readonly (readonly [Key, Json])[]): Record<Key, Json> {
  const states = Object.create(null) as Record<Key, Json>;
  for (const [key, state] of entries) states[key] = state;
  return states;
}

/** One transaction's share of the work. Forgetting a state writes null, which removes the key. */
export function carry(
  ledger: LedgerFiles,
  lsns: readonly Lsn[],
  options: AppendOptions,
  { now, remains }: CarryHow,
): Carried {
  const live = liveStates(ledger, lsns);
  const made = new Map<Key, Json>();
  const see = (key: Key): Json | undefined =>
    made.has(key) ? (made.get(key) ?? undefined) : lookup(ledger, key);
  let forgotten = 0;
  let states: [Key, Json][] = [];
  let bytes = 0;
  const write = (): void => {
    const body = { type: CARRY_TYPE, agent: 'guard', ts_ms: now.wall_ms, s: statesOf(states) };
    if (!appendNew(ledger, [body], options)) throw new Error('the index could not be written');
    states = [];
    bytes = 0;
  };
  for (const [key, read] of live) {
    // What remains of another state may have changed this one already.
    const state = made.get(key) ?? read;
    const left = made.get(key) === null ? { [key]: null } : (remains(key, state, see) ?? { [key]: state });
    if (left[key] === null) forgotten++;
    for (const entry of Object.entries(left)) {
      made.set(...entry);
      states.push(entry);
      bytes += entry[1] === null ? entry[0].length : JSON.stringify(entry).length;
    }
    if (bytes >= CARRY_BYTES) write();
  }
  if (states.length > 0) write();
  return { carried: live.length - forgotten, forgotten };
}
