// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** States as the engine acknowledged them to this machine, and as they will be once late events have been taken in. */
import type { Json, Key, Lsn, View } from '../core/ledger.ts';
import { PATHS } from '../core/keys.ts';
import { leaseKey } from '../core/lease-key.ts';
import { asPathState } from '../core/states.ts';
import type { Stated, StoreLook } from '../store/store.ts';
import type { CachedState, LeaseCache, UndeliveredState } from './lease-cache.ts';

type States = Iterable<readonly [Key, Json]>;

export interface AcknowledgedStates {
  /** The lsn after the newest known record. */
  tip(): Lsn;
  /** Null: one of them is not known. */
  statesOf(keys: readonly Key[]): ReadonlyMap<Key, Stated> | null;
  /** The key of a file's lease, by the scope that the engine last acknowledged. */
  leaseKeyOf(key: Key): Key;
  /** Only what was acknowledged, without late events. */
  readonly acknowledged: View;
  acknowledgedAt(key: Key): number;
  /** Keys that this process received from the engine. */
  news(): readonly Key[];
  hasLeft(): boolean;
  learn(look: Pick<StoreLook, 'states' | 'tip'>, asked_boot_ms: number): void;
  committed(states: States, lsn: Lsn, asked_boot_ms: number): void;
  leave(states: States, left_boot_ms: number): void;
  /** All that this clone had left by then is in the ledger. */
  delivered(until_boot_ms: number): void;
  /** Combines what another process stored with what this one has learned. */
  into(old: LeaseCache | null, now_boot_ms: number): Pick<LeaseCache, 'states' | 'told'>;
}

/** Not cached, because a stale file must not deliver them; none of them affects a decision about a write. */
const TOLD_LATER = /^(?:inbox|message|thread|topic):/;
/** The most recently used ones: a few hundred bytes each, rewritten by each hook that learns something. */
const STATES_MAX = 400;
/** No lease is relied on for that long without the engine, and the clone that left it may have been removed. */
const TOLD_MS = 24 * 3_600_000;

/** @param clone the one that this process works in */
export function acknowledgedStates(cache: LeaseCache | null, clone: string): AcknowledgedStates {
  const states = new Map<Key, CachedState>(Object.entries(cache?.states ?? {}));
  const told = new Map<Key, UndeliveredState>(Object.entries(cache?.told ?? {}));
  const [learnt, left] = [new Set<Key>(), new Set<Key>()];
  let delivered_boot_ms = 0;
  const put = (key: Key, state: CachedState): void => {
    if (TOLD_LATER.test(key)) return;
    states.delete(key);
    states.set(key, state);
    learnt.add(key);
    if (isOver(told.get(key), state)) told.delete(key);
  };
  const tip = (): Lsn => Math.max(0, ...[...states.values()].map((one) => one.tip));
  const acknowledged = (key: Key): Json | undefined => states.get(key)?.state ?? undefined;
  const leaseKeyOf = (key: Key): Key => leaseKey({ get: acknowledged }, key);
  const stated = (key: Key): Stated | null => {
    const later = told.get(key);
    if (later !== undefined) return { state: later.state ?? undefined, version: 0 };
    const known = states.get(key);
    if (known !== undefined) return { state: known.state ?? undefined, version: known.version };
    return TOLD_LATER.test(key) ? { state: undefined, version: 0 } : null;
  };
  return {
    tip,
    statesOf(keys) {
      const found = keys.map((key) => [key, stated(key)] as const);
      return found.every((one): one is readonly [Key, Stated] => one[1] !== null) ? new Map(found) : null;
    },
    leaseKeyOf,
    acknowledged: { get: acknowledged, range: () => [], next: 0 },
    acknowledgedAt: (key) => states.get(key)?.asked_boot_ms ?? 0,
    news: () => [...learnt],
    hasLeft: () => left.size > 0,
    learn(look, asked_boot_ms) {
      for (const [key, { state, version }] of look.states)
        put(key, { state: state ?? null, version, tip: look.tip, asked_boot_ms, by: clone });
    },
    committed(given, lsn, asked_boot_ms) {
      for (const [key, state] of given) put(key, { state, version: lsn, tip: lsn, asked_boot_ms, by: clone });
    },
    leave(given, left_boot_ms) {
      for (const [key, state] of given) {
        told.set(key, { state, left_boot_ms, by: clone });
        left.add(key);
      }
    },
    delivered: (until_boot_ms) => (delivered_boot_ms = until_boot_ms),
    into(old, now_boot_ms) {
      const merged = new Map(Object.entries(old?.states ?? {}));
      const later = new Map(Object.entries(old?.told ?? {}));
      for (const key of learnt) {
        const [mine, other] = [states.get(key), merged.get(key)];
        if (mine !== undefined && isOver(later.get(key), mine)) later.delete(key);
        if (mine === undefined || (other !== undefined && other.tip > mine.tip)) continue;
        merged.delete(key);
        if (isWorth(key, mine) || isWorth(leaseKeyOf(key), states.get(leaseKeyOf(key)) ?? mine))
          merged.set(key, mine);
      }
      for (const key of left) {
        const mine = told.get(key);
        later.delete(key);
        if (mine !== undefined) later.set(key, mine);
      }
      for (const [key, state] of merged) if (isOver(later.get(key), state)) later.delete(key);
      for (const [nth, [key, { by, left_boot_ms }]] of [...later].reverse().entries()) {
        const until_boot_ms = by === clone ? delivered_boot_ms : 0;
        if (left_boot_ms >= until_boot_ms && now_boot_ms - left_boot_ms < TOLD_MS && nth < STATES_MAX)
          continue;
        later.delete(key);
        // What was acknowledged before is out of date: ask the engine.
        if ((merged.get(key)?.asked_boot_ms ?? 0) < Math.max(until_boot_ms, left_boot_ms)) merged.delete(key);
      }
      return {
        states: Object.fromEntries([...merged].slice(-STATES_MAX)),
        told: Object.fromEntries(later),
      };
    },
  };
}

/** A query to the engine sends the late events of its clone first, so an answer asked for after that includes them. */
const isOver = (told: UndeliveredState | undefined, { by, asked_boot_ms }: CachedState): boolean =>
  told?.by === by && asked_boot_ms > told.left_boot_ms;

/** A file that no one holds or writes is never decided without the engine, so it is not worth caching. */
function isWorth(key: Key, { state }: CachedState): boolean {
  const { holds, intent } = asPathState(state ?? undefined);
  return !key.startsWith(PATHS) || holds.length > 0 || intent !== null;
}
