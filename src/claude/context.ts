/**
 * The surroundings of a hook event: its input, the agent it is about, the workspace of its session and every other
 * workspace that it may touch. Opened on use, closed once; nothing here decides anything.
 */
import { ifAllowed } from '../core/attempt.ts';
import { agentKey, pathKey } from '../core/keys.ts';
import { inboxKey } from '../core/mailbox.ts';
import type { Key } from '../core/ledger.ts';
import type { Who } from '../core/rules/who.ts';
import type { PidPlace } from '../core/same-process.ts';
import type { Now } from '../core/types.ts';
import { resolveTarget, type Target } from '../repo/canonical.ts';
import { deadlineAfter, openClock } from '../repo/clock.ts';
import { locateRepo, type Looks, newLooks, type Repo } from '../repo/locate.ts';
import { openPlace } from '../repo/process.ts';
import { homeOf } from '../repo/user-dirs.ts';
import { identityIn, processOf } from './identity.ts';
import type { HookInput } from './hook-input.ts';
import type { Opening } from '../workspace/workspace.ts';
import { LOCK_WAIT_MS } from './lock-wait.ts';
import { memo } from './memo.ts';
import { type CachedWorkspace, type HookSpace, openWorkspaces, workspaceFor } from './workspace.ts';
import { writerPaths } from './tools.ts';

export type { HookSpace } from './workspace.ts';

export interface HookEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Check only, without changing anything. */
  readonly dry?: boolean;
  readonly named?: Opening['named'];
  readonly engines?: Opening['engines'];
}

export interface Hook {
  readonly input: HookInput;
  readonly env: NodeJS.ProcessEnv;
  readonly now: Now;
  readonly who: Who;
  /** Throws GUARD_ERR_DEADLINE if the hook has run for too long (configuration, `deadline`). */
  readonly deadline: () => void;
  readonly home: HookSpace;
  /** Nothing may be written, not even next to the ledger. */
  readonly dry: boolean;
  /** Resolves a path as given to the file it means. Throws GUARD_ERR_PATH. */
  resolve(given: string): Target;
  /** The workspace whose ledger keeps the files of a repository. */
  workspace(repo: Repo): HookSpace;
  close(): void;
}

export function openHook(input: HookInput, { env, dry = false, ...more }: HookEnvironment): Hook {
  const clock = openClock();
  const now = clock();
  const looks = newLooks();
  const place = openPlace(now.boot);
  const lock_deadline_ms = LOCK_WAIT_MS[input.event];
  const around = { ...more, cwd: input.cwd, env, looks, place, lock_deadline_ms };
  const opened = openWorkspaces(around, clock, now);
  const home = opened.of(locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd, env, looks));
  const resolve = resolver(input, env, looks);
  home.cache.get(firstKeys(input, home, resolve));
  const who = whoIs(input, home, env, place);
  const workspace = memo(opened.of, (repo: Repo) => workspaceFor(opened.of(repo), who, dry));
  return {
    input,
    env,
    now,
    who,
    deadline: deadlineAfter(home.config.deadline_ms),
    home: workspace(home.repo),
    dry,
    resolve,
    workspace,
    close: () => opened.close(),
  };
}

/** The same file is looked up several times in one event. */
const resolver = ({ cwd }: HookInput, env: NodeJS.ProcessEnv, looks: Looks): Hook['resolve'] =>
  memo(String, (given: string) => resolveTarget(given, cwd, { home: homeOf(env) }, looks));

const baseId = ({ host, session }: HookInput): string => `${host}-${session === '' ? 'unknown' : session}`;

const NONE = { writers: [], readers: [] };

/** The keys that nearly every event of this kind reads, fetched together. */
function firstKeys(input: HookInput, { repo }: CachedWorkspace, resolve: (given: string) => Target): Key[] {
  const base = baseId(input);
  const agents = [
    agentKey(base),
    inboxKey(base),
    ...(input.agent === null ? [] : [agentKey(`${base}/${nameOf(input.agent)}`)]),
  ];
  const given = input.tool !== '' ? (writerPaths(input, NONE) ?? []) : [];
  return [...agents, ...given.flatMap((path) => homeKey(path, repo, resolve))];
}

/** A path that cannot be used is reported later. */
function homeKey(given: string, repo: Repo, resolve: (given: string) => Target): Key[] {
  return ifAllowed(() => {
    const target = resolve(given);
    return target.repo.root === repo.root ? [pathKey(target.path)] : [];
  }, []);
}

/** Clients use hex ids; any other id from another host becomes a name that `--agent` accepts (agent-id.ts). */
const nameOf = (agent: string): string =>
  agent.slice(0, 100).replace(/[^\w@.:~-]/g, (char) => `+${char.charCodeAt(0).toString(16)}`);

/** The session, subagent and process of the event; a second live process of the same session is a separate agent. */
function whoIs(
  input: HookInput,
  { cache, facts }: CachedWorkspace,
  env: NodeJS.ProcessEnv,
  place: () => PidPlace,
): Who {
  const { session } = input;
  // The events of another client carry the process that started it, if any.
  const proc = input.proc ?? (input.host === 'claude' ? processOf(env, place) : null);
  const { id, inherited } = identityIn(cache, baseId(input), proc, facts());
  const forked = input.event === 'SessionStart' && input.raw['source'] === 'fork';
  const main: Who = {
    ...{ id, kind: 'session', parent: null, session, proc, inherited: inherited || forked },
    ...(cache.missed.size > 0 ? { one_of: baseId(input) } : {}),
  };
  if (input.agent === null) return main;
  return { ...main, id: `${id}/${nameOf(input.agent)}`, kind: 'subagent', parent: id, inherited: false };
}
