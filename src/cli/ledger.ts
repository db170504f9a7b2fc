/** The ledger of the repository a command is called in, with the policy and the clocks to judge it by. */
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import { baselineFiles } from '../claude/baseline-file.ts';
import type { Who } from '../core/rules/agent.ts';
import type { Baseline } from '../core/rules/baseline.ts';
import type { AgentId, Facts, Now, RepoPath } from '../core/types.ts';
import { isGuardError } from '../core/error.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { resolveTarget } from '../repo/canonical.ts';
import type { Target } from '../repo/canonical.ts';
import { openClock } from '../repo/clock.ts';
import { requireBelieved } from '../repo/known/belief.ts';
import type { Repo } from '../repo/locate.ts';
import { machineId, openDeaths } from '../repo/process.ts';
import { homeOf } from '../repo/user-dirs.ts';
import { spelledAt } from '../repo/spelled.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { operate } from '../store/operate.ts';
import { openWaiters } from '../locks/waiters.ts';
import type { Waiters } from '../locks/waiters.ts';
import { callerOf } from './caller.ts';
import { guardedRepo } from './command-place.ts';
import type { Shell } from './shell.ts';

export interface CliLedger {
  readonly repo: Repo;
  readonly store: Store;
  readonly waiters: Waiters;
  readonly config: Config;
  /** With the clocks as they are now. */
  facts(): Facts;
  who(agent: string | undefined): Who;
  /** A path as typed, to the file it means in this repository. */
  target(given: string): Target;
  /** What an agent last saw of a file, as its hooks noted it. */
  seen(agent: AgentId, path: RepoPath): Baseline | null;
  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'];
  close(): void;
}

/** The first path decides, wherever the command is called: a denial names files of any guarded repository. */
function repoOf(shell: Shell, [first]: readonly string[]): Repo | null {
  if (first === undefined) return null;
  try {
    const { repo } = resolveTarget(first, shell.cwd, { home: homeOf(shell.env) });
    return repo.initialised ? repo : null;
  } catch (error) {
    // What is wrong with the path is said in its own result.
    if (isGuardError(error)) return null;
    throw error;
  }
}

/** For a process that lives long: what it opened once, and how long other processes may keep it waiting. */
export interface LedgerOptions {
  readonly now?: () => Now;
  readonly isDead?: Facts['isDead'];
  readonly waiters?: Waiters;
  readonly lock_deadline_ms?: number;
}

/** Hooks have 5 s for everything; whoever calls a command rather waits than is told that the ledger was busy. */
const LOCK_DEADLINE_MS = 10_000;

/** @throws GuardError GUARD_ERR_NOT_INITIALISED outside of an initialised repository */
export function openLedger(
  shell: Shell,
  paths: readonly string[] = [],
  options: LedgerOptions = {},
): CliLedger {
  const { now = openClock(), isDead = openDeaths(), waiters = openWaiters() } = options;
  const { lock_deadline_ms = LOCK_DEADLINE_MS } = options;
  const repo = repoOf(shell, paths) ?? guardedRepo(shell);
  requireBelieved(repo, shell.env);
  const config = loadConfig({ repo, env: shell.env });
  const store = openStore({ dir: repo.state_dir, now, durability: config.durability, lock_deadline_ms });
  const facts = (): Facts => ({
    now: now(),
    policy: config.policy,
    isDead,
    get machine() {
      return machineId();
    },
    get guard_command() {
      return guardCommand(repo);
    },
    spelled: spelledAt(repo),
  });
  return {
    repo,
    store,
    waiters,
    config,
    facts,
    who: (agent) => callerOf(agent, shell.env, store, { now: now(), isDead }),
    target: (given) => resolveTarget(given, shell.cwd, { home: homeOf(shell.env) }),
    seen: (agent, path) => baselineFiles(repo.state_dir, agent).read(path),
    run: (event) => operate(store, event, facts()),
    close: () => store.close(),
  };
}

/** Opens the ledger for one piece of work and closes it, whatever happens. */
export async function withLedger<T>(
  shell: Shell,
  work: (ledger: CliLedger) => T | Promise<T>,
  paths: readonly string[] = [],
): Promise<T> {
  const ledger = openLedger(shell, paths);
  try {
    return await work(ledger);
  } finally {
    ledger.close();
  }
}

/** What was opened for a piece of work is closed where that work cannot even begin. */
export function orClosed<T>(opened: { close(): void }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    opened.close();
    throw error;
  }
}
