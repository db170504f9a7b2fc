/** Which agent a command speaks for, in the ledger's terms: its name, kind, parent and process. */
import { hostname } from 'node:os';
import { GuardError } from '../core/error.ts';
import { agentKey } from '../core/keys.ts';
import type { Who } from '../core/rules/who.ts';
import { mayBeBeside, mayBeMarked, speakerOf, surroundingsOf } from '../core/speakers.ts';
import { asAgentState } from '../core/states.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { identityIn, processOf, type StateLookup } from '../claude/identity.ts';
import { type Host, hostOf, innermost, isOfHost } from '../claude/hosts/host.ts';
import { keyFile, readKey } from '../repo/key.ts';
import { makeKey } from '../repo/make-key.ts';
import { markProcess } from '../repo/process.ts';
import type { Store } from '../store/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentName, type AgentName, sessionOf } from './agent-id.ts';
import { personId } from './person.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { markedAgent } from './spoken-mark.ts';

/** The parts of a workspace that this needs. */
type Speaking = Pick<Workspace, 'env' | 'store'> & { facts: () => Pick<Facts, 'now' | 'isDead' | 'machine'> };

/**
 * @param given value of `--agent`
 * @throws GuardError GUARD_ERR_USAGE if the caller names an agent that it is not, or an invalid id; GUARD_ERR_SPEAKER if it
 *   is unknown which agent calls: in a session with several, or in a client that does not tell its commands
 */
export function callerOf({ env: all, store, facts }: Speaking, given: string | undefined): Who {
  const env = innermost(all);
  const session = sessionOf(env);
  if (session !== null)
    return inSession(
      session,
      agentName(given, env, () => ''),
      { env, store, facts: facts() },
    );
  const host = hostOf(all, {});
  // Only the mark shows it: a client up to 2.1.100, or one that another client started.
  const marked = host === 'unknown' ? null : markedAgent(null, all);
  if (marked !== null)
    return asMarked(marked, given ?? (host === 'claude' ? env['GUARD_AGENT_ID'] : undefined));
  const named = agentName(given, env, () => personId(env));
  if (named.from === 'person' && host !== 'unknown') throw namelessIn(host);
  const around = sessionAround(all);
  if (!mayBeBeside(named.id, around)) throw notYours(String(around), named.id);
  return outsider(named.id);
}

/** The agent of Claude Code whose variables are set along with another client's: either client may be the inner one. */
function sessionAround(all: Environment): AgentId | null {
  const { session } = surroundingsOf(all);
  return session === null ? null : (markedAgent(`claude-${session}`, all) ?? `claude-${session}`);
}

function asMarked(marked: AgentId, claimed = ''): Who {
  if (!mayBeMarked(marked, claimed)) throw notYours(marked, claimed);
  return outsider(marked);
}

interface Around {
  readonly env: Environment;
  readonly store: Store;
  readonly facts: ReturnType<Speaking['facts']>;
}

function inSession(session: string, named: AgentName, { env, store, facts }: Around): Who {
  const proc = processOf(env);
  const base = `claude-${session}`;
  const { id: main, inherited } = identityIn(statesOf(store), base, proc, facts);
  const key = agentKey(main);
  const speaker = speakerOf({
    main,
    marked: markedAgent(main, env),
    is_marking: asAgentState(store.look([key]).get(key))?.has_subagents === true,
    // A drafted agent's variable names the session, for all its subagents as well.
    claimed: named.from === 'session' || (named.from === 'variable' && named.id === base) ? null : named.id,
  });
  if (speaker.refused !== null)
    throw speaker.id === null ? nobodyKnows(main, env) : notYours(speaker.id, named.id);
  const { id } = speaker;
  const who: Who = { id: main, kind: 'session', parent: null, session, proc, inherited };
  return id === main ? who : { ...who, id, kind: 'subagent', parent: main, inherited: false };
}

const notYours = (own: AgentId, named: AgentId): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `This is ${own}; it cannot speak for ${named}.`,
    'Leave out --agent and GUARD_AGENT_ID.',
    { agent: named, session: own },
  );

const namelessIn = (host: Host): GuardError =>
  new GuardError(
    'GUARD_ERR_SPEAKER',
    `A command that ${host} started does not say which agent it belongs to.`,
    'Name the agent: --agent NAME, or GUARD_AGENT_ID.',
    { host },
  );

const nobodyKnows = (main: AgentId, env: Environment): GuardError =>
  new GuardError(
    'GUARD_ERR_SPEAKER',
    `${main} has subagents, and nothing says which of them runs this command.`,
    withoutKey(env) ??
      'Call guard directly in the command line of a Bash call, neither through exec nor in the background after the shell has ended; or use the tools of "guard mcp". If that is what you did, another hook rewrites Bash commands.',
    { session: main },
  );

/** Why nothing can be sealed, and how to fix that; `null` if there is a key, or no hook has needed one yet. */
export const withoutKey = (env: Environment): string | null =>
  (readKey(env) ?? makeKey(env)) === null
    ? `guard's hook could not make its key: ${keyFile(env)} must be a file of your own, mode 600, in a directory that you can write.`
    : null;

/**
 * On whose behalf a server acts if the caller is not named: the main agent of the session that its client names
 * (`ofSession`), else the serving process, whose locks end with it.
 */
export function servingAs(env: Environment, ofSession: () => Who): Who {
  const own = `${hostname().replace(/[^\w.-]/g, '-')}-${process.pid}`;
  const { id, from } = agentName(undefined, env, () => own);
  return from === 'person' ? { ...outsider(id), proc: markProcess(process.pid) } : ofSession();
}

/** An agent of another host by name, or a person at a terminal. */
export function outsider(id: AgentId): Who {
  const [, parent] = /^(\w+-[^/]+)\/.+$/.exec(id) ?? [];
  const nothing = { session: null, proc: null };
  if (!isOfHost(id)) return { id, kind: 'person', parent: null, ...nothing };
  if (parent !== undefined) return { id, kind: 'subagent', parent, ...nothing };
  return { id, kind: 'session', parent: null, ...nothing };
}

const statesOf = (store: Store): StateLookup => ({
  get(keys) {
    const view = store.look(keys);
    return (key) => view.get(key);
  },
});
