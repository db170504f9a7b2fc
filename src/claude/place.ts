/** One repository's ledger with all that goes with it, for one agent. Opened on use, closed together. */
import { agentKey } from '../core/keys.ts';
import type { EventType, Rules } from '../core/decide.ts';
import type { Who } from '../core/rules/agent.ts';
import { asAgentState } from '../core/states.ts';
import type { Json, Key } from '../core/ledger.ts';
import type { AgentState, Facts, Now } from '../core/types.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { lockTool } from '../install/mcp-server.ts';
import type { Repo } from '../repo/locate.ts';
import { isDead, machineId } from '../repo/process.ts';
import { spelledAt } from '../repo/spelled.ts';
import { openStore } from '../store/open.ts';
import { consider, operate } from '../store/operate.ts';
import type { EventOf } from '../store/operate.ts';
import type { Store } from '../store/store.ts';
import { baselineFiles, readOnly } from './baseline-file.ts';
import type { BaselineFiles } from './baseline-file.ts';
import { stateDirOf } from './ledger-of.ts';

/** A ledger, before anybody is known to speak. */
export interface Ledger {
  readonly repo: Repo;
  readonly state_dir: string;
  readonly store: Store;
  readonly config: Config;
  readonly facts: Facts;
  /** States as this event first saw them, fetched together where they are first asked for; `run` forgets them. */
  readonly glimpse: Glimpse;
}

export interface Glimpse {
  at(keys: readonly Key[]): (key: Key) => Json | undefined;
  forget(): void;
}

export interface Place extends Ledger {
  readonly baselines: BaselineFiles;
  /** The agent's state as of now; undefined before it joined. */
  agent(): AgentState | undefined;
  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'];
}

export interface Ledgers {
  of(repo: Repo): Ledger;
  close(): void;
}

export function openLedgers(env: NodeJS.ProcessEnv, clock: () => Now, now: Now): Ledgers {
  const opened = new Map<string, Ledger>();
  const dead = memo(isDead);
  return {
    of(repo) {
      const ledger = opened.get(repo.root) ?? openLedger(repo, env, { clock, now, dead });
      opened.set(repo.root, ledger);
      return ledger;
    },
    close: () => opened.forEach(({ store }) => store.close()),
  };
}

/** A hook that gets no lock must have time left to say so. */
const LOCK_WAIT_MS = 4_000;
const LOCK_SHARE = 0.8;

interface Looks {
  readonly clock: () => Now;
  readonly now: Now;
  readonly dead: Facts['isDead'];
}

function openLedger(repo: Repo, env: NodeJS.ProcessEnv, { clock, now, dead }: Looks): Ledger {
  const state_dir = stateDirOf(repo, env);
  const config = loadConfig({ repo, env });
  const lock_deadline_ms = Math.min(LOCK_WAIT_MS, LOCK_SHARE * config.deadline_ms);
  const store = openStore({ dir: state_dir, now: clock, durability: config.durability, lock_deadline_ms });
  // Leases are for repositories that somebody initialised.
  const policy = repo.initialised ? config.policy : { ...config.policy, enforcement: 'off' as const };
  const facts = factsOf(now, policy, dead, repo, env);
  return { repo, state_dir, store, config, facts, glimpse: glimpseOf(store) };
}

function glimpseOf(store: Store): Glimpse {
  const seen = new Map<Key, Json | undefined>();
  return {
    at(keys) {
      const news = keys.filter((key) => !seen.has(key));
      const view = news.length === 0 ? null : store.look(news);
      for (const key of news) seen.set(key, view?.get(key));
      return (key) => seen.get(key);
    },
    forget: () => seen.clear(),
  };
}

/** What guard is called here is looked up only by the few answers that say it. */
function factsOf(
  now: Now,
  policy: Facts['policy'],
  dead: Facts['isDead'],
  repo: Repo,
  env: NodeJS.ProcessEnv,
): Facts {
  return {
    now,
    policy,
    isDead: dead,
    get machine() {
      return machineId();
    },
    get guard_command() {
      return guardCommand(repo);
    },
    get lock_tool() {
      return lockTool(repo.root, env);
    },
    spelled: (path) => spelledAt(repo)(path),
  };
}

/** `dry`: judge, and change nothing. */
export function placeIn(ledger: Ledger, who: Who, dry: boolean): Place {
  const { store, facts, state_dir, glimpse } = ledger;
  const files = baselineFiles(state_dir, who.id);
  return {
    ...ledger,
    baselines: dry ? readOnly(files) : files,
    agent: () => asAgentState(glimpse.at([agentKey(who.id)])(agentKey(who.id))),
    run(event) {
      glimpse.forget();
      return dry ? consider(store, event, facts) : operate(store, event, facts);
    },
  };
}

type Judge = Facts['isDead'];

function memo(judge: Judge): Judge {
  const known = new Map<string, boolean>();
  return (mark) => {
    const key = `${mark.pid} ${mark.start} ${mark.pid_ns}`;
    const answer = known.get(key) ?? judge(mark);
    known.set(key, answer);
    return answer;
  };
}
