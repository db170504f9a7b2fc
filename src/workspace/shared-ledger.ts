// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A ledger that other machines share (docs/fleet.md), and this machine's role in it. */
import { randomUUID } from 'node:crypto';
import { attempt } from '../core/attempt.ts';
import type { Facts, Now } from '../core/types.ts';
import { loadEngine } from '../config/engine.ts';
import { makeKey } from '../repo/make-key.ts';
import { readKey } from '../repo/key.ts';
import { nameHash } from '../repo/name-hash.ts';
import type { Repo } from '../repo/locate.ts';
import { openMoments } from '../repo/boot-clock.ts';
import { openClock } from '../repo/clock.ts';
import { machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { SharedConfig } from '../store/open.ts';
import { isKeptType } from '../store/late/late-file.ts';
import { takeInShared } from '../store/late/take-in-shared.ts';
import { takingIn } from '../store/late/taking-in.ts';
import type { Store, StoreLook } from '../store/store.ts';
import { type CachedStore, cachedLedger } from './cached-ledger.ts';
import { engineClock, untilAway } from './engine-clock.ts';
import { fleetDir } from './fleet-dir.ts';
import type { CachePlace } from './lease-cache.ts';
import { type KeptLeases, openKept } from './kept-leases.ts';
import { stillShared } from './still-shared.ts';
import { unlessRestored } from './unless-restored.ts';
import { startKeeper } from './start-keeper.ts';
import type { Named } from './named.ts';

export interface SharedPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly state_dir: string;
  readonly lock_deadline_ms: number;
  /** The repository's name in the shared database. */
  readonly shared_as: string;
  readonly named?: Named | undefined;
  /** Set in a hook: when it began. */
  readonly began?: Now;
  /** For a process that answers many events. Absent: a new connection. */
  readonly engines?: OpenEngine | undefined;
}

export type OpenEngine = (config: SharedConfig) => Store;

/** Facts about this machine; callers that only read or leave a record have no policy. */
export type SeenHere = Pick<Facts, 'now' | 'isDead' | 'machine'> & Partial<Pick<Facts, 'policy'>>;

interface AmongMachines<F> {
  readonly store: Store;
  readonly facts: () => F;
  /** Gives an id up front to every event that may be left for later, because its commit may have reached the engine. */
  readonly named: Named;
}

/**
 * @param own this machine's facts, on its own clock
 * @param opener `openStore`, passed in because hooks that load this file have it already
 * @throws GuardError GUARD_ERR_CONFIG if nothing says where the ledger is
 */
export function amongMachines<F extends SeenHere>(
  { repo, env, state_dir, shared_as, lock_deadline_ms, named, began, engines }: SharedPlace,
  own: () => F,
  opener: OpenEngine,
): AmongMachines<F> {
  const { machine: given, ...address } = loadEngine(repo, env);
  const key = readKey(env) ?? makeKey(env);
  const machine = given ?? ownId(key);
  const dir = fleetDir(env, shared_as, machine);
  const clone = nameHash(state_dir);
  const kept = key && keptAt({ ...{ dir, clone, shared_as, machine }, key });
  const deadline_ms = began && kept ? Math.min(lock_deadline_ms, patienceOf(kept)) : lock_deadline_ms;
  const engine = { ...address, repository: shared_as, machine_dir: dir, deadline_ms, connections: 1 };
  if (began && engines === undefined) attempt(() => startKeeper(repo, env), undefined);
  const remote = stillShared((engines ?? opener)(engine), state_dir, shared_as);
  const engineHere = unlessRestored(remote, {
    dir,
    onRestored: () => attempt(() => kept?.distrust(), undefined),
  });
  let boot: string | undefined;
  const noted = <L extends StoreLook>(look: L): L => {
    boot = look.now.boot;
    return look;
  };
  const opened: Store = { ...engineHere, look: (...about) => noted(engineHere.look(...about)) };
  const asked = takingIn(opened, state_dir, (store) => {
    const begun = kept?.moment();
    takeInShared({ state_dir, store, shared_as, facts: () => factsAt(clock) });
    if (begun !== undefined) attempt(() => kept?.delivered(begun), undefined);
  });
  const store: Store & Partial<CachedStore> =
    kept === null
      ? asked
      : cachedLedger(asked, kept, {
          may_begin: began !== undefined && lock_deadline_ms <= BEFORE_CALL_MS,
          facts: () => judging(factsAt(clock)),
        });
  // A long-running process may outlive a restore of the database, after which its clock starts over.
  const clock = engineClock(
    () => store.clock?.() ?? opened.look([]).now,
    (name) => name !== (boot ?? name),
  );
  const factsAt = (nowAt: (here: Now) => Now): F => {
    const here = own();
    return {
      ...here,
      now: nowAt(here.now),
      ...{ machine, machine_boot: here.now.boot },
      isDead: (mark) => here.isDead(mark.machine === machine ? { ...mark, machine: machineId() } : mark),
    };
  };
  // What ended with a call is kept for later in any case, dated by this machine's clock if need be: rules decide by the engine's.
  const isAfter = began !== undefined && lock_deadline_ms > BEFORE_CALL_MS;
  const nowAt = isAfter ? untilAway(clock) : clock;
  return { store, facts: () => factsAt(nowAt), named: (type) => named?.(type) ?? nameOf(type) };
}

function keptAt(place: Omit<CachePlace, 'machine_boot'>): KeptLeases {
  const now = openClock();
  return openKept({ ...place, machine_boot: now().boot }, openMoments(now));
}

const judging = (facts: SeenHere): Facts | null => (facts.policy === undefined ? null : (facts as Facts));

/** Hooks that may deny wait no longer than this (src/claude/lock-wait.ts). */
const BEFORE_CALL_MS = 4_000;

/** With cached leases a hook can continue or report later, so it only outwaits a short interruption, and less right after one. */
const KEPT_MS = 2_000;
const AWAY_MS = 300;

const patienceOf = (kept: KeptLeases): number =>
  kept.isAway() ? AWAY_MS : kept.leases().length > 0 ? KEPT_MS : Infinity;

const nameOf: Named = (type) => (isKeptType(type) ? { id: `${type}.${randomUUID()}` } : {});

/**
 * Derived from the user's key, so that another user of this machine gets another id, and so does another machine with
 * the same home directory. Host names and image ids are not unique.
 */
function ownId(key: Buffer | null): string {
  return `${key === null ? 'host:' : ''}${nameHash(`${key?.toString('hex') ?? ''} ${machineId()}`)}`;
}
