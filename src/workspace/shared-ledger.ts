// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A ledger that other machines share (docs/fleet.md), and what this machine is among them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Facts, Now } from '../core/types.ts';
import { loadEngine } from '../config/engine.ts';
import { makeKey } from '../repo/make-key.ts';
import { readKey } from '../repo/key.ts';
import { nameHash } from '../repo/name-hash.ts';
import type { Repo } from '../repo/locate.ts';
import { machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { openShared } from '../store/open-shared.ts';
import { isKeptType, lateDir } from '../store/late/late-file.ts';
import { takeInShared } from '../store/late/take-in-shared.ts';
import type { Store, StoreLook } from '../store/store.ts';
import type { TransactOptions } from '../store/transact.ts';

/** What an event commits under. */
type Named = (type: string) => TransactOptions;

interface SharedPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly state_dir: string;
  readonly lock_deadline_ms: number;
  /** The repository's name among all that are there. */
  readonly shared_as: string;
  readonly named?: Named | undefined;
}

/** What is asked of a machine. */
type Seen = Pick<Facts, 'now' | 'isDead' | 'machine'>;

interface AmongMachines<F> {
  readonly store: Store;
  readonly facts: () => F;
  /** Whatever may be kept for later has a name from its beginning: its commit may have been the last that the engine heard. */
  readonly named: Named;
}

/**
 * @param own what this machine sees, on its own clock
 * @throws GuardError GUARD_ERR_CONFIG where nobody says where the ledger is
 */
export function amongMachines<F extends Seen>(
  { repo, env, state_dir, shared_as, lock_deadline_ms, named }: SharedPlace,
  own: () => F,
): AmongMachines<F> {
  const { machine: given, ...address } = loadEngine(repo, env);
  const machine = given ?? ownId(env);
  const engine = { ...address, repository: shared_as, deadline_ms: lock_deadline_ms, connections: 1 };
  const opened = openShared(engine);
  let boot: string | undefined;
  const noted = <L extends StoreLook>(look: L): L => {
    boot = look.now.boot;
    return look;
  };
  const store: Store = { ...opened, look: (...asked) => noted(opened.look(...asked)) };
  // A process that lives for long outlasts a restore of the database, after which its clock counts anew.
  const clock = clockOf(store, (name) => name !== (boot ?? name));
  const facts = (): F => {
    const here = own();
    return {
      ...here,
      now: clock(here.now),
      ...{ machine, machine_boot: here.now.boot },
      isDead: (mark) => here.isDead(mark.machine === machine ? { ...mark, machine: machineId() } : mark),
    };
  };
  const late = { state_dir, store, shared_as, facts };
  const commit: Store['commit'] = (...asked) => {
    if (existsSync(lateDir(state_dir))) takeInShared(late);
    return store.commit(...asked);
  };
  return { store: { ...store, commit }, facts, named: (type) => named?.(type) ?? nameOf(type) };
}

const nameOf: Named = (type) => (isKeptType(type) ? { id: `${type}.${randomUUID()}` } : {});

/** The engine's, as far as it can be told from the one answer that says how late it is there. @param isOver it has another name since */
function clockOf(store: Store, isOver: (boot: string) => boolean): (here: Now) => Now {
  let ahead: Now | undefined;
  return (here) => {
    if (ahead === undefined || isOver(ahead.boot)) {
      const { boot, mono_ms, wall_ms } = store.look([]).now;
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
function ownId(env: Environment): string {
  const key = readKey(env) ?? makeKey(env);
  return `${key === null ? 'host:' : ''}${nameHash(`${key?.toString('hex') ?? ''} ${machineId()}`)}`;
}
