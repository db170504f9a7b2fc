// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** States as the engine acknowledged them to this machine, and as they will be once it hears of what was left for it. */
import type { Json, Key, Lsn, View } from '../core/ledger.ts';
import { PATHS } from '../core/keys.ts';
import { leaseKey } from '../core/lease-key.ts';
import { asPathState } from '../core/states.ts';
import type { Stated, StoreLook } from '../store/store.ts';
import type { CachedState, LeaseCache } from './lease-cache.ts';

type States = Iterable<readonly [Key, Json]>;
type Told = LeaseCache['told'][Key];

export interface AcknowledgedStates {
  /** The lsn behind the newest that is known. */
  tip(): Lsn;
  /** Null: one of them is not known. */
  statesOf(keys: readonly Key[]): ReadonlyMap<Key, Stated> | null;
  /** As acknowledged. */
  readonly acknowledged: View;
  acknowledgedAt(key: Key): number;
  /** Keys that this process was told of. */
  news(): readonly Key[];
  hasLeft(): boolean;
  learn(look: Pick<StoreLook, 'states' | 'tip'>, asked_boot_ms: number): void;
  committed(states: States, lsn: Lsn, asked_boot_ms: number): void;
  leave(states: States, left_boot_ms: number): void;
  /** What another process kept, and this one. */
  into(old: LeaseCache | null): Pick<LeaseCache, 'states' | 'told'>;
}

/** Of these nobody is told by a file that may be old; none of them decides about a write. */
const TOLD_LATER = /^(?:inbox|message|thread|topic):/;
/** Of those asked for last: some hundred bytes each, written anew by each hook that learns something. */
const STATES_MAX = 400;

export function acknowledgedStates(cache: LeaseCache | null): AcknowledgedStates {
  const states = new Map<Key, CachedState>(Object.entries(cache?.states ?? {}));
  const told = new Map<Key, Told>(Object.entries(cache?.told ?? {}));
  const [learnt, left] = [new Set<Key>(), new Set<Key>()];
  const put = (key: Key, state: CachedState): void => {
    if (TOLD_LATER.test(key)) return;
    states.delete(key);
    states.set(key, state);
    learnt.add(key);
    if (isOver(told.get(key), state)) told.delete(key);
  };
  const tip = (): Lsn => Math.max(0, ...[...states.values()].map((one) => one.tip));
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
    acknowledged: { get: (key) => states.get(key)?.state ?? undefined, range: () => [], next: 0 },
    acknowledgedAt: (key) => states.get(key)?.asked_boot_ms ?? 0,
    news: () => [...learnt],
    hasLeft: () => left.size > 0,
    learn(look, asked_boot_ms) {
      for (const [key, { state, version }] of look.states)
        put(key, { state: state ?? null, version, tip: look.tip, asked_boot_ms });
    },
    committed(given, lsn, asked_boot_ms) {
      for (const [key, state] of given) put(key, { state, version: lsn, tip: lsn, asked_boot_ms });
    },
    leave(given, left_boot_ms) {
      for (const [key, state] of given) {
        told.set(key, { state, left_boot_ms });
        left.add(key);
      }
    },
    into(old) {
      const merged = new Map(Object.entries(old?.states ?? {}));
      for (const key of learnt) {
        const [mine, other] = [states.get(key), merged.get(key)];
        if (mine === undefined || (other !== undefined && other.tip > mine.tip)) continue;
        merged.delete(key);
        if (isWorth(key, mine) || isWorth(leaseKey(key), states.get(leaseKey(key)) ?? mine))
          merged.set(key, mine);
      }
      const later = new Map(Object.entries(old?.told ?? {}));
      for (const key of left) {
        const mine = told.get(key);
        if (mine !== undefined) later.set(key, mine);
      }
      for (const [key, state] of merged) if (isOver(later.get(key), state)) later.delete(key);
      return {
        states: Object.fromEntries([...merged].slice(-STATES_MAX)),
        told: Object.fromEntries(later),
      };
    },
  };
}

/** Whoever asks the engine tells it first what was left for it. */
const isOver = (told: Told | undefined, state: CachedState): boolean =>
  told !== undefined && state.asked_boot_ms > told.left_boot_ms;

/** Of files that nobody holds or writes nothing is decided without the engine. */
function isWorth(key: Key, { state }: CachedState): boolean {
  const { holds, intent } = asPathState(state ?? undefined);
  return !key.startsWith(PATHS) || holds.length > 0 || intent !== null;
}
