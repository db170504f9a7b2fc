// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A ledger that other machines share (docs/fleet.md), and what this machine is among them. */
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
import type { CachePlace } from './lease-cache.ts';
import { type KeptLeases, openKept } from './kept-leases.ts';
import { startKeeper } from './start-keeper.ts';
import type { TransactOptions } from '../store/transact.ts';

/** What an event commits under. */
export type Named = (type: string) => TransactOptions;

export interface SharedPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly state_dir: string;
  readonly lock_deadline_ms: number;
  /** The repository's name among all that are there. */
  readonly shared_as: string;
  readonly named?: Named | undefined;
  /** Of a hook. */
  readonly began?: Now;
  /** Of a process that answers many events. Absent: a connection of its own. */
  readonly engines?: OpenEngine | undefined;
}

export type OpenEngine = (config: SharedConfig) => Store;

/** What is asked of a machine; whoever only reads or leaves a record has no policy. */
export type SeenHere = Pick<Facts, 'now' | 'isDead' | 'machine'> & Partial<Pick<Facts, 'policy'>>;

interface AmongMachines<F> {
  readonly store: Store;
  readonly facts: () => F;
  /** Whatever may be kept for later has a name from its beginning: its commit may have been the last that the engine heard. */
  readonly named: Named;
}

/**
 * @param own what this machine sees, on its own clock
 * @param opener `openStore`, handed over: hooks that load this file have it already
 * @throws GuardError GUARD_ERR_CONFIG where nobody says where the ledger is
 */
export function amongMachines<F extends SeenHere>(
  { repo, env, state_dir, shared_as, lock_deadline_ms, named, began, engines }: SharedPlace,
  own: () => F,
  opener: OpenEngine,
): AmongMachines<F> {
  const { machine: given, ...address } = loadEngine(repo, env);
  const key = readKey(env) ?? makeKey(env);
  const machine = given ?? ownId(key);
  const kept = key && keptAt({ state_dir, shared_as, machine, key });
  const deadline_ms = began && kept ? Math.min(lock_deadline_ms, patienceOf(kept)) : lock_deadline_ms;
  const engine = { ...address, repository: shared_as, deadline_ms, connections: 1 };
  if (began && engines === undefined) attempt(() => startKeeper(repo, env), undefined);
  const engineHere = (engines ?? opener)(engine);
  let boot: string | undefined;
  const noted = <L extends StoreLook>(look: L): L => {
    boot = look.now.boot;
    return look;
  };
  const opened: Store = { ...engineHere, look: (...about) => noted(engineHere.look(...about)) };
  const asked = takingIn(opened, state_dir, (store) => takeInShared({ state_dir, store, shared_as, facts }));
  const store: Store & Partial<CachedStore> =
    kept === null
      ? asked
      : cachedLedger(asked, kept, {
          may_begin: began !== undefined && lock_deadline_ms <= BEFORE_CALL_MS,
          facts: () => judging(facts()),
        });
  // A process that lives for long outlasts a restore of the database, after which its clock counts anew.
  const clock = clockOf(
    () => store.clock?.() ?? opened.look([]).now,
    (name) => name !== (boot ?? name),
  );
  const facts = (): F => {
    const here = own();
    return {
      ...here,
      now: clock(here.now),
      ...{ machine, machine_boot: here.now.boot },
      isDead: (mark) => here.isDead(mark.machine === machine ? { ...mark, machine: machineId() } : mark),
    };
  };
  return { store, facts, named: (type) => named?.(type) ?? nameOf(type) };
}

function keptAt(place: Omit<CachePlace, 'machine_boot'>): KeptLeases {
  const now = openClock();
  return openKept({ ...place, machine_boot: now().boot }, openMoments(now));
}

const judging = (facts: SeenHere): Facts | null => (facts.policy === undefined ? null : (facts as Facts));

/** Whoever may deny waits for no longer (src/claude/lock-wait.ts). */
const BEFORE_CALL_MS = 4_000;

/** A hook goes on by what is kept, or tells it later: it waits no longer than for a short interruption, and hardly where there was one just now. */
const KEPT_MS = 2_000;
const AWAY_MS = 300;

const patienceOf = (kept: KeptLeases): number =>
  kept.isAway() ? AWAY_MS : kept.leases().length > 0 ? KEPT_MS : Infinity;

const nameOf: Named = (type) => (isKeptType(type) ? { id: `${type}.${randomUUID()}` } : {});

/** The engine's, as far as it can be told from the one answer that says how late it is there. @param isOver it has another name since */
function clockOf(ask: () => Now, isOver: (boot: string) => boolean): (here: Now) => Now {
  let ahead: Now | undefined;
  return (here) => {
    if (ahead === undefined || isOver(ahead.boot)) {
      const { boot, mono_ms, wall_ms } = ask();
      ahead = { boot, mono_ms: mono_ms - here.mono_ms, wall_ms: wall_ms - here.wall_ms };
    }
    const { boot, mono_ms, wall_ms } = ahead;
    return { boot, mono_ms: here.mono_ms + mono_ms, wall_ms: here.wall_ms + wall_ms };
  };
}

/**
 * Minted with the user's key, so another user of this machine is another one, and so is another machine with the same home. Names of
 * hosts and of images are given twice.
 */
function ownId(key: Buffer | null): string {
  return `${key === null ? 'host:' : ''}${nameHash(`${key?.toString('hex') ?? ''} ${machineId()}`)}`;
}
