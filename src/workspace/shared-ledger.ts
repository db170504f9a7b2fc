// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A ledger that other machines share (docs/fleet.md), and what this machine is among them. */
import type { Facts, Now } from '../core/types.ts';
import { loadEngine } from '../config/engine.ts';
import { makeKey } from '../repo/make-key.ts';
import { readKey } from '../repo/key.ts';
import { nameHash } from '../repo/name-hash.ts';
import type { Repo } from '../repo/locate.ts';
import { machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { openShared } from '../store/open-shared.ts';
import type { Store } from '../store/store.ts';

interface SharedPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly lock_deadline_ms: number;
  /** The repository's name among all that are there. */
  readonly shared_as: string;
}

/**
 * @param own what this machine sees, on its own clock
 * @throws GuardError GUARD_ERR_CONFIG where nobody says where the ledger is
 */
export function amongMachines(
  { repo, env, shared_as: repository, lock_deadline_ms }: SharedPlace,
  own: () => Facts,
): { readonly store: Store; readonly facts: () => Facts } {
  const { machine: given, ...address } = loadEngine(repo, env);
  const machine = given ?? ownId(env);
  const store = openShared({ ...address, repository, deadline_ms: lock_deadline_ms, connections: 1 });
  const clock = clockOf(store);
  const facts = (): Facts => {
    const here = own();
    return {
      ...here,
      now: clock(here.now),
      ...{ machine, machine_boot: here.now.boot },
      isDead: (mark) => here.isDead(mark.machine === machine ? { ...mark, machine: machineId() } : mark),
    };
  };
  return { store, facts };
}

/** The engine's, as far as it can be told from the one answer that says how late it is there. */
function clockOf(store: Store): (here: Now) => Now {
  let ahead: Now | undefined;
  return (here) => {
    if (ahead === undefined) {
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
