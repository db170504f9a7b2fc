/** A repository's ledger with all that it is judged by. Opened on use, closed once. */
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import type { Who } from '../core/rules/who.ts';
import type { Facts, Now } from '../core/types.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { lockTool } from '../install/mcp-server.ts';
import { type Install, readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import { machineId } from '../repo/process.ts';
import { spelledAt } from '../repo/spelled.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { ledgerHere } from './ledger-here.ts';
import type { Named, OpenEngine } from './shared-ledger.ts';
import { leaveLate } from '../store/late/leave-late.ts';
import { takeIn } from '../store/late/take-in.ts';
import type { LocalConfig } from '../store/open.ts';
import { operate } from '../store/operate.ts';
import type { Store } from '../store/store.ts';

/** Where somebody works: paths as given count from `cwd`. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Environment;
}

export interface Workspace extends Surroundings {
  readonly repo: Repo;
  /** Where its ledger is: the repository's own, or the user's where nobody initialised the repository. */
  readonly state_dir: string;
  readonly config: Config;
  readonly store: Store;
  /** With the clocks as they are now; in a hook as they were when it began. */
  readonly facts: () => Facts;
  readonly run: <T extends EventType>(event: EventOf<T>) => Rules[T]['result'];
  readonly close: () => void;
}

/** The same, and who works in it. */
export interface CallerWorkspace extends Workspace {
  readonly who: Who;
}

export interface Opening extends Surroundings, Pick<LocalConfig, 'now' | 'remembered'> {
  readonly state_dir: string;
  readonly isDead: Facts['isDead'];
  /** Absent: that of a hook that may deny. */
  readonly lock_deadline_ms?: number | undefined;
  /** Of a hook: the moment that everything in it is judged at. Its agent is told of guard's tools, where it has them. */
  readonly began?: Now;
  readonly installs?: Map<string, Install>;
  /** What an event commits under, where it may come a second time (claude/request.ts). */
  readonly named?: Named | undefined;
  /** Of a process that answers many events: how it reaches a ledger that machines share. */
  readonly engines?: OpenEngine | undefined;
}

/** A hook that gets no lock must have time left to say so. */
const HOOK_LOCK_MS = 4_000;
const HOOK_LOCK_SHARE = 0.8;

export function openWorkspace(repo: Repo, opening: Opening): Workspace {
  const { state_dir, env, now, isDead, began, installs } = opening;
  const config = loadConfig({ repo, env, installs });
  const { policy, durability } = config;
  const { lock_deadline_ms = Math.min(HOOK_LOCK_MS, HOOK_LOCK_SHARE * config.deadline_ms) } = opening;
  const shared_as = repo.initialised ? readInstall(state_dir, installs).shared_as : undefined;
  const factsHere = (): Facts => ({
    now: began ?? now(),
    // Leases are for repositories that somebody initialised.
    policy: repo.initialised ? policy : { ...policy, enforcement: 'off' },
    isDead,
    // What is here, and what guard is called here, is looked up only by the few that ask.
    get machine() {
      return machineId();
    },
    get guard_command() {
      return guardCommand(repo);
    },
    get lock_tool() {
      return began ? lockTool(repo.root, env) : null;
    },
    spelled: (path) => spelledAt(repo)(path),
  });
  const { store, facts, named } = ledgerHere(
    { ...opening, repo, lock_deadline_ms, shared_as, durability, takeIn },
    factsHere,
  );
  return {
    ...opening,
    ...{ repo, config, store, facts },
    run(event) {
      const seen = facts();
      const options = named?.(event.type);
      try {
        return operate(store, event, seen, options);
      } catch (error) {
        return leaveLate(error, { state_dir, store, event, facts: seen, id: options?.id, lock_deadline_ms });
      }
    },
    close: () => store.close(),
  };
}
