/** Whose command this is, as the ledger knows it: the agent's name, kind, parent and process. */
import { hostname } from 'node:os';
import { GuardError } from '../core/error.ts';
import type { Who } from '../core/rules/agent.ts';
import type { Identity } from '../core/rules/identity.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { identityIn, processOf } from '../claude/identity.ts';
import { innermost, isOfHost } from '../claude/hosts/host.ts';
import type { States } from '../claude/identity.ts';
import { markProcess } from '../repo/process.ts';
import type { SyncStore } from '../store/operate.ts';
import { agentName, sessionOf } from './agent-id.ts';
import { personId } from './person.ts';
import type { Environment } from './shell.ts';

/** @throws GuardError GUARD_ERR_USAGE when the caller names an agent of another session, or one that is no id */
export function callerOf(
  given: string | undefined,
  all: Environment,
  store: SyncStore,
  facts: Pick<Facts, 'now' | 'isDead'>,
): Who {
  const env = innermost(all);
  const named = agentName(given, env, () => personId(env));
  const session = sessionOf(env);
  if (session === null) return outsider(named.id);
  const proc = processOf(env);
  const base = `claude-${session}`;
  const { id, inherited } =
    proc === null ? ownName(named.id, base) : identityIn(statesOf(store), base, proc, facts);
  const main: Who = { id, kind: 'session', parent: null, session, proc, inherited };
  if (named.from === 'session' || named.id === id) return main;
  if (named.id.startsWith(`${id}/`))
    return { ...main, id: named.id, kind: 'subagent', parent: id, inherited: false };
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `This session is ${id}; it cannot speak for ${named.id}.`,
    'Leave out --agent and GUARD_AGENT_ID.',
    { agent: named.id, session: id },
  );
}

/** Where the shell does not know the client's process, its hook's word counts for which of the session's agents this is. */
function ownName(named: AgentId, base: AgentId): Identity {
  const [id = base] = named.split('/');
  return { id, inherited: id !== base };
}

/**
 * For whom a server works that nobody told who calls: the main agent of the session that its client names (`ofSession`);
 * else the process that serves, whose locks end with it.
 */
export function servingAs(env: Environment, ofSession: () => Who): Who {
  const own = `${hostname().replace(/[^\w.-]/g, '-')}-${process.pid}`;
  const { id, from } = agentName(undefined, env, () => own);
  return from === 'person' ? { ...outsider(id), proc: markProcess(process.pid) } : ofSession();
}

/** An agent of another host by name, or a person at a terminal. */
export function outsider(id: AgentId): Who {
  const [, parent] = /^(\w+-[^/]+)\/.+$/.exec(id) ?? [];
  if (parent !== undefined && isOfHost(id))
    return { id, kind: 'subagent', parent, session: null, proc: null };
  return {
    id,
    kind: isOfHost(id) ? 'session' : 'person',
    parent: null,
    session: null,
    proc: null,
  };
}

const statesOf = (store: SyncStore): States => ({
  at(keys) {
    const view = store.readSync(keys);
    return (key) => view.get(key);
  },
});
