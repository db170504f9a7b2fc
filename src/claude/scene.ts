/**
 * Where an event plays: the home repository of its session, the agent it is about, policy, clocks and the
 * ledgers it may touch. Opened on use, closed once; nothing here decides anything.
 */
import { agentKey } from '../core/keys.ts';
import { identify } from '../core/rules/identity.ts';
import type { Identity } from '../core/rules/identity.ts';
import type { Who } from '../core/rules/agent.ts';
import type { EventType, Rules } from '../core/decide.ts';
import { asAgentState } from '../core/states.ts';
import type { AgentState, Facts, Now, ProcessMark } from '../core/types.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/load.ts';
import { deadlineAfter, readNow } from '../repo/clock.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Repo } from '../repo/locate.ts';
import { isDead, markProcess } from '../repo/process.ts';
import { openEmbedded } from '../store/embedded/open.ts';
import { consider, operate } from '../store/operate.ts';
import type { EventOf, SyncStore } from '../store/operate.ts';
import { guardCommand } from '../install/guard-command.ts';
import { baselineFiles, readOnly } from './baseline-file.ts';
import type { BaselineFiles } from './baseline-file.ts';
import type { HookInput } from './input.ts';
import { stateDirOf } from './ledger-of.ts';

export interface Environment {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Judge, and change nothing. */
  readonly dry?: boolean;
}

/** One ledger and what goes with it, for one agent. */
export interface Place {
  readonly repo: Repo;
  readonly state_dir: string;
  readonly store: SyncStore;
  readonly config: Config;
  readonly facts: Facts;
  readonly baselines: BaselineFiles;
  /** The agent's state as of now, read without a lock; undefined before it joined. */
  agent(): AgentState | undefined;
  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'];
}

export interface Scene {
  readonly input: HookInput;
  readonly env: NodeJS.ProcessEnv;
  readonly now: Now;
  readonly who: Who;
  /** Throws GUARD_ERR_DEADLINE when the hook has run for too long. */
  readonly deadline: () => void;
  readonly home: Place;
  /** The ledger that keeps a repository's files. */
  place(repo: Repo): Place;
  close(): void;
}

/** A hook answers within this or denies by itself; the client's own timeout is far beyond (design section 4). */
export const DEADLINE_MS = 5_000;

export function openScene(input: HookInput, { env, dry = false }: Environment): Scene {
  const now = readNow();
  const deadline = deadlineAfter(DEADLINE_MS);
  const stores = new Map<string, SyncStore>();
  const places = new Map<string, Place>();
  const storeAt = (state_dir: string, config: Config): SyncStore => {
    const open =
      stores.get(state_dir) ?? openEmbedded(state_dir, { now: readNow, durability: config.durability });
    stores.set(state_dir, open);
    return open;
  };
  const dead = memo(isDead);
  const homeRepo = locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd);
  const base = homeBase(homeRepo, env, now, dead, storeAt);
  const who = whoIs(input, base.store, env, base.facts);
  const place = (repo: Repo): Place => {
    const found = places.get(repo.root);
    if (found !== undefined) return found;
    const opened = placeOf(repo, who, { env, now, dead, storeAt, dry });
    places.set(repo.root, opened);
    return opened;
  };
  return {
    input,
    env,
    now,
    who,
    deadline,
    home: place(homeRepo),
    place,
    close: () => stores.forEach((store) => store.closeSync()),
  };
}

type StoreAt = (state_dir: string, config: Config) => SyncStore;

function homeBase(repo: Repo, env: NodeJS.ProcessEnv, now: Now, dead: Facts['isDead'], storeAt: StoreAt) {
  const config = loadConfig({ repo, env });
  const facts = { now, policy: config.policy, isDead: dead, guard_command: '' };
  return { store: storeAt(stateDirOf(repo, env), config), facts };
}

interface Around {
  readonly env: NodeJS.ProcessEnv;
  readonly now: Now;
  readonly dead: Facts['isDead'];
  readonly storeAt: StoreAt;
  readonly dry: boolean;
}

function placeOf(repo: Repo, who: Who, { env, now, dead, storeAt, dry }: Around): Place {
  const config = loadConfig({ repo, env });
  const state_dir = stateDirOf(repo, env);
  const store = storeAt(state_dir, config);
  // Leases are for repositories that somebody initialised.
  const policy = repo.initialised ? config.policy : { ...config.policy, enforcement: 'off' as const };
  const facts = factsOf(now, policy, dead, repo);
  return {
    repo,
    state_dir,
    store,
    config,
    facts,
    baselines: dry ? readOnly(baselineFiles(state_dir, who.id)) : baselineFiles(state_dir, who.id),
    agent: () => asAgentState(store.readSync([agentKey(who.id)]).get(agentKey(who.id))),
    run: (event) => (dry ? consider(store, event, facts) : operate(store, event, facts)),
  };
}

/** What guard is called here is looked up only by the few answers that say it. */
function factsOf(now: Now, policy: Facts['policy'], dead: Facts['isDead'], repo: Repo): Facts {
  return {
    now,
    policy,
    isDead: dead,
    get guard_command() {
      return guardCommand(repo);
    },
  };
}

/** Session, subagent and process of the event; a second live process on the session is an agent of its own. */
function whoIs(input: HookInput, store: SyncStore, env: NodeJS.ProcessEnv, facts: Facts): Who {
  const proc = processOf(env);
  const base = `claude-${input.session === '' ? 'unknown' : input.session}`;
  const { id, inherited } = identityIn(store, base, proc, facts);
  const forked = input.event === 'SessionStart' && input.raw['source'] === 'fork';
  const main: Who = {
    id,
    kind: 'session',
    parent: null,
    session: input.session,
    proc,
    inherited: inherited || forked,
  };
  if (input.agent === null) return main;
  return { ...main, id: `${id}/${input.agent}`, kind: 'subagent', parent: id, inherited: false };
}

export function identityIn(
  store: SyncStore,
  base: string,
  proc: ProcessMark | null,
  facts: Pick<Facts, 'now' | 'isDead'>,
): Identity {
  let keys = [agentKey(base)];
  for (;;) {
    const found = identify(store.readSync(keys), base, proc, facts);
    if (!('need' in found)) return found;
    keys = [...keys, ...found.need];
  }
}

/** The client's process: the only pid whose end says that the agent is gone. Absent in clients up to 2.1.100. */
export function processOf(env: NodeJS.ProcessEnv): ProcessMark | null {
  const pid = Number(env['CLAUDE_PID']);
  return Number.isSafeInteger(pid) && pid > 1 ? markProcess(pid) : null;
}

function memo(judge: (mark: ProcessMark) => boolean): (mark: ProcessMark) => boolean {
  const known = new Map<string, boolean>();
  return (mark) => {
    const key = `${mark.pid} ${mark.start} ${mark.pid_ns}`;
    const answer = known.get(key) ?? judge(mark);
    known.set(key, answer);
    return answer;
  };
}
