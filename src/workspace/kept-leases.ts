// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The leases of this machine's agents, as cached and as one process learns of them (docs/decisions/209). */
import { randomUUID } from 'node:crypto';
import { machineKey } from '../core/keys.ts';
import { endsBy } from '../core/lease-ends.ts';
import type { Json, Key, Lsn } from '../core/ledger.ts';
import type { Facts, Now } from '../core/types.ts';
import { elapsedSince, type BootMoment } from '../repo/boot-clock.ts';
import type { StoreLook } from '../store/store.ts';
import { believed, leasesKnown, mergedLeases } from './believed-leases.ts';
import { acknowledgedStates, type AcknowledgedStates } from './acknowledged-states.ts';
import {
  type CachedLease,
  type CachePlace,
  changeCache,
  dropCache,
  type EndedMark,
  readCache,
} from './lease-cache.ts';

type Changed = readonly (readonly [Key, Json])[];

export interface KeptLeases extends Pick<AcknowledgedStates, 'tip' | 'statesOf' | 'leaseKeyOf'> {
  readonly moment: () => BootMoment;
  /** The engine's clock, erring on the late side. Null: not known. */
  now(): Now | null;
  indexed(): boolean;
  /** Leases that may be relied on, with the time for which they still may. */
  leases(): readonly CachedLease[];
  /** Whether the engine failed to answer a moment ago. */
  isAway(): boolean;
  away(): void;
  learn(look: StoreLook, asked: BootMoment): void;
  committed(changed: Changed, lsn: Lsn, asked: BootMoment): void;
  leave(changed: Changed): void;
  /** This clone's events that were left before then are in the ledger. */
  delivered(before: BootMoment): void;
  /** Nothing that this machine has cached counts any longer. */
  distrust(): void;
  /** Call before committing or leaving events: drops the leases that they end from the cache. @throws if that cannot be stored */
  end(changed: Changed): void;
  /** @param facts for deciding about leases; their time is ignored */
  save(facts: Facts): void;
}

/** For a process killed between two of its steps: whatever it may have sent has been processed by then. */
const ENDING_MS = 60_000;
const LATELY_MS = 5_000;
/** Half as long as a hook before a write may take. */
const DISTRUST_MS = 2_000;

export function openKept(place: CachePlace, moment: () => BootMoment): KeptLeases {
  const cache = readCache(place);
  const known = acknowledgedStates(cache, place.clone);
  const me = randomUUID();
  const ended = new Map<Key, Omit<EndedMark, 'key'>>();
  let ending: readonly Key[] = [];
  let clock = cache?.clock ?? null;
  let { indexed = false, away_boot_ms = 0 } = cache ?? {};
  const now = (): Now | null => {
    const passed_ms = clock && elapsedSince(clock.asked, moment());
    if (clock === null || passed_ms === null) return null;
    const { boot, mono_ms, wall_ms } = clock;
    return { boot, mono_ms: mono_ms + passed_ms, wall_ms: wall_ms + passed_ms };
  };
  const isNews = (key: Key): boolean => {
    const old = cache?.states[key];
    const state = known.acknowledged.get(key) ?? null;
    return old === undefined || JSON.stringify(old.state) !== JSON.stringify(state);
  };
  const isLonger = ({ path, token, asked, left_ms, margin_ms }: CachedLease): boolean => {
    const old = cache?.leases.find((one) => one.path === path && one.token === token);
    return old === undefined || asked.boot_ms + left_ms > old.asked.boot_ms + old.left_ms + margin_ms;
  };
  const write = (leases: readonly CachedLease[], patience_ms?: number): void => {
    const { shared_as, machine, machine_boot } = place;
    const head = { v: 1, shared_as, machine, machine_boot, clock, indexed, away_boot_ms } as const;
    const marks = Object.fromEntries([...ended].map(([key, mark]) => [`${me} ${key}`, { key, ...mark }]));
    const news = { machine, marks, leases, known, at: moment() };
    changeCache(
      place,
      (old) => ({ ...head, ...known.into(old, news.at.boot_ms), ...mergedLeases(old, news) }),
      patience_ms,
    );
  };
  return {
    ...{ moment, now },
    tip: () => known.tip(),
    statesOf: (keys) => known.statesOf(keys),
    leaseKeyOf: (key) => known.leaseKeyOf(key),
    indexed: () => indexed,
    leases: () => (cache === null ? [] : believed(cache, moment())),
    isAway: () => Math.abs(moment().boot_ms - away_boot_ms) < LATELY_MS,
    away() {
      away_boot_ms = moment().boot_ms;
      ending = [];
    },
    learn(look, asked) {
      away_boot_ms = 0;
      clock = { ...look.now, asked };
      indexed = look.indexed ?? false;
      known.learn(look, asked.boot_ms);
    },
    committed(changed, lsn, asked) {
      known.committed(changed, lsn, asked.boot_ms);
      for (const key of ending) ended.set(key, { until_boot_ms: moment().boot_ms, from_token: lsn });
      ending = [];
    },
    distrust() {
      ended.set(machineKey(place.machine), { until_boot_ms: moment().boot_ms });
      try {
        write([], DISTRUST_MS);
      } catch {
        dropCache(place);
      }
    },
    delivered({ boot_ms }) {
      known.delivered(boot_ms);
      write([]);
    },
    leave: (changed) => known.leave(changed, moment().boot_ms),
    end(changed) {
      ending = endsBy(changed, (key) => known.acknowledged.get(key));
      for (const key of ending) ended.set(key, { until_boot_ms: moment().boot_ms + ENDING_MS });
      if (ending.length > 0) write([], ENDING_MS);
    },
    save(facts) {
      const isOld = ended.size === 0 && away_boot_ms === (cache?.away_boot_ms ?? 0) && !known.hasLeft();
      if (clock === null) return;
      const { asked, ...at } = clock;
      const leases = leasesKnown(known, { ...facts, now: at }, asked);
      if (!isOld || known.news().some(isNews) || leases.some(isLonger)) write(leases);
    },
  };
}
