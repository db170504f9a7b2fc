// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A workspace whose ledger other machines share (docs/fleet.md): the same operations on another store, as this machine among others. */
import type { Facts, Now } from '../core/types.ts';
import { loadEngine } from '../config/engine.ts';
import { makeKey } from '../repo/make-key.ts';
import { readKey } from '../repo/key.ts';
import { nameHash } from '../repo/name-hash.ts';
import type { Repo } from '../repo/locate.ts';
import { machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { leaveLate } from '../store/late/leave-late.ts';
import { openShared } from '../store/open-shared.ts';
import { operate } from '../store/operate.ts';
import type { Store } from '../store/store.ts';
import type { Opening, Workspace } from './workspace.ts';

/**
 * @param repository its name among all that are there
 * @throws GuardError GUARD_ERR_CONFIG where nobody says where the ledger is
 */
export function amongMachines(
  space: Workspace,
  opening: Opening,
  lock_deadline_ms: number,
  repository: string,
): Workspace {
  const { repo, env, state_dir } = space;
  const { store, machine } = sharedStore({ repo, env, repository, lock_deadline_ms });
  const clock = clockOf(store, opening.now);
  const facts = (): Facts => {
    const own = space.facts();
    const machine_name = machineId();
    return {
      ...own,
      now: clock(),
      ...{ machine, machine_name, machine_boot: own.now.boot },
      isDead: (mark) => own.isDead(mark.machine === machine ? { ...mark, machine: machine_name } : mark),
    };
  };
  return {
    ...space,
    store,
    facts,
    run(event) {
      const seen = facts();
      const options = opening.named?.(event.type);
      try {
        return operate(store, event, seen, options);
      } catch (error) {
        return leaveLate(error, { state_dir, store, event, facts: seen, id: options?.id, lock_deadline_ms });
      }
    },
    close: () => store.close(),
  };
}

/** The engine's, as far as it can be told from the one answer that says how late it is there. */
function clockOf(store: Store, own: () => Now): () => Now {
  let ahead: { readonly boot: string; readonly mono_ms: number; readonly wall_ms: number } | undefined;
  return () => {
    const here = own();
    if (ahead === undefined) {
      const { boot, mono_ms, wall_ms } = store.look([]).now;
      ahead = { boot, mono_ms: mono_ms - here.mono_ms, wall_ms: wall_ms - here.wall_ms };
    }
    const { boot, mono_ms, wall_ms } = ahead;
    return { boot, mono_ms: here.mono_ms + mono_ms, wall_ms: here.wall_ms + wall_ms };
  };
}

interface SharedPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly repository: string;
  readonly lock_deadline_ms: number;
}

/** And what this machine is called there. */
export function sharedStore({ repo, env, repository, lock_deadline_ms }: SharedPlace): {
  readonly store: Store;
  readonly machine: string;
} {
  const { machine, ...address } = loadEngine(repo, env);
  const store = openShared({ ...address, repository, deadline_ms: lock_deadline_ms, connections: 1 });
  return { store, machine: machine ?? ownId(env) };
}

/**
 * Minted with the user's key, so another user of this machine is another one, and so is another machine with the same home. Names of
 * hosts and of images are given twice.
 */
function ownId(env: Environment): string {
  const key = readKey(env) ?? makeKey(env);
  return `${key === null ? 'host:' : ''}${nameHash(`${key?.toString('hex') ?? ''} ${machineId()}`)}`;
}
