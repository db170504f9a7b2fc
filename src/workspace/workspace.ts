/** A repository's ledger with everything that decisions depend on. Opened on use, closed once. */
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import type { Who } from '../core/rules/who.ts';
import type { Facts, Now } from '../core/types.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { lockTool } from '../install/mcp-server.ts';
import { type Install, readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import { requireJoined } from '../repo/require-joined.ts';
import { machineId } from '../repo/process.ts';
import { spelledAt } from '../repo/spelled.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { ledgerHere } from './ledger-here.ts';
import type { Named } from './named.ts';
import type { OpenEngine } from './shared-ledger.ts';
import { leaveLate } from '../store/late/leave-late.ts';
import { takeIn } from '../store/late/take-in.ts';
import type { LocalConfig } from '../store/open.ts';
import { operate } from '../store/operate.ts';
import type { Store } from '../store/store.ts';

/** The caller's surroundings: given paths are relative to `cwd`. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Environment;
}

export interface Workspace extends Surroundings {
  readonly repo: Repo;
  /** Where its ledger is: the repository's own, or the user's if the repository is not initialised. */
  readonly state_dir: string;
  readonly config: Config;
  readonly store: Store;
  /** With the current time; in a hook, the time when it began. */
  readonly facts: () => Facts;
  readonly run: <T extends EventType>(event: EventOf<T>) => Rules[T]['result'];
  readonly close: () => void;
  /** Set in a hook whose event may arrive twice. */
  readonly named?: Named | undefined;
}

/** The same, with the agent that works in it. */
export interface CallerWorkspace extends Workspace {
  readonly who: Who;
}

export interface Opening extends Surroundings, Pick<LocalConfig, 'now' | 'remembered'> {
  readonly state_dir: string;
  readonly isDead: Facts['isDead'];
  /** Absent: the deadline of a hook that may deny. */
  readonly lock_deadline_ms?: number | undefined;
  /** Set in a hook: the time for all its decisions. Its agent is informed about guard's tools if it has them. */
  readonly began?: Now;
  readonly installs?: Map<string, Install>;
  /** The id that an event commits under, if it may arrive twice (claude/request.ts). */
  readonly named?: Named | undefined;
  /** For a process that answers many events: how it reaches a shared ledger. */
  readonly engines?: OpenEngine | undefined;
}

/** A hook that cannot get the lock must have time left to report that. */
const HOOK_LOCK_MS = 4_000;
const HOOK_LOCK_SHARE = 0.8;

export function openWorkspace(repo: Repo, opening: Opening): Workspace {
  const { state_dir, env, now, isDead, began, installs } = opening;
  const config = loadConfig({ repo, env, installs });
  const { policy, durability } = config;
  const { lock_deadline_ms = Math.min(HOOK_LOCK_MS, HOOK_LOCK_SHARE * config.deadline_ms) } = opening;
  const shared_as = repo.initialised ? readInstall(state_dir, installs).shared_as : undefined;
  let machine: string | undefined;
  const factsHere = (): Facts => ({
    now: began ?? now(),
    // Leases only apply in initialised repositories.
    policy: repo.initialised ? policy : { ...policy, enforcement: 'off' },
    isDead,
    // Only looked up if asked for, and then once: a grant asks three times.
    get machine() {
      return (machine ??= machineId());
    },
    get guard_command() {
      return guardCommand(repo);
    },
    get lock_tool() {
      return began ? lockTool(repo.root, env) : null;
    },
    spelled: (path) => spelledAt(repo)(path),
    requireJoined: () => requireJoined(repo),
  });
  const hookMs = began && (() => Math.max(0, Math.round(now().mono_ms - began.mono_ms)));
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
        return operate(store, event, seen, { ...options, hookMs });
      } catch (error) {
        return leaveLate(error, { state_dir, store, event, facts: seen, id: options?.id, lock_deadline_ms });
      }
    },
    close: () => store.close(),
  };
}
