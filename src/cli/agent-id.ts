/** Which agent a command speaks for, according to its arguments and environment (design section 8). Pure: both are passed in. */
import { hostOf, innermost } from '../claude/hosts/host.ts';
import { GuardError } from '../core/error.ts';
import { mayBeNamed, surroundingsOf } from '../core/speakers.ts';
import type { AgentId } from '../core/types.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface AgentName {
  readonly id: AgentId;
  /** `session`: only the session is known, and a second process of it may be a separate agent. */
  readonly from: 'option' | 'variable' | 'session' | 'person';
}

/** Ids name files, keys and log lines: no blanks, no control characters, no `..`, and short enough for a key. */
const ID = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w@.:~+-]+(?:\/[\w@.:~+-]+)*$/;
const MAX_CHARS = 200;

/**
 * In this order: `--agent`; GUARD_AGENT_ID; the session of the innermost client; outside of one, INTERLOCK_AGENT_ID and
 * INTERMUTE_AGENT_ID; else the person.
 * @param given value of `--agent`
 * @throws GuardError GUARD_ERR_USAGE for an invalid id, or one of a session other than the caller's
 */
export function agentName(given: string | undefined, all: Environment, person: () => AgentId): AgentName {
  const env = innermost(all);
  // Whatever client the command runs in: only a session of Claude Code itself speaks for it.
  const own = (id: string, source: string): AgentId => ofSession(checkedId(id, source), source, all);
  const session = sessionOf(env);
  const variable = env['GUARD_AGENT_ID'] ?? '';
  if (given !== undefined) return { id: own(given, '--agent'), from: 'option' };
  if (variable !== '') return { id: own(variable, 'GUARD_AGENT_ID'), from: 'variable' };
  if (session !== null)
    return { id: checkedId(`claude-${session}`, 'CLAUDE_CODE_SESSION_ID'), from: 'session' };
  if (hostOf(env, {}) === 'claude') throw unknownSession();
  const foreign = ['INTERLOCK_AGENT_ID', 'INTERMUTE_AGENT_ID'].find((name) => (env[name] ?? '') !== '');
  if (foreign !== undefined) return { id: checkedId(env[foreign] ?? '', foreign), from: 'variable' };
  return { id: person(), from: 'person' };
}

/**
 * `null` outside Claude Code, inside clients up to 2.1.100, which do not say, and if another host's variables are set, too:
 * Claude's then usually belong to the session that started that host.
 */
export function sessionOf(env: Environment): string | null {
  const { session, is_mixed } = surroundingsOf(env);
  return is_mixed ? null : session;
}

/**
 * The name that a caller's next command must repeat, because only its `--agent` says who it is. In a session the hooks do.
 * @param given value of `--agent`
 */
export const mustName = (given: string | undefined, env: Environment): AgentId | undefined =>
  sessionOf(innermost(env)) === null ? given : undefined;

/** True in a command that an agent runs, whether of Claude Code or of another client. */
export const isInClaude = (env: Environment): boolean => hostOf(env, {}) !== 'unknown';

/** @throws GuardError GUARD_ERR_USAGE */
export function checkedId(id: string, source: string): AgentId {
  if (ID.test(id) && id.length <= MAX_CHARS) return id;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${JSON.stringify(id.slice(0, 80))} (${source}) is not an agent id.`,
    `Letters, digits, and any of "_ @ . : ~ + - /", at most ${MAX_CHARS} characters.`,
    { source },
  );
}

/** No agent speaks for another (core/speakers.ts). */
function ofSession(id: AgentId, source: string, env: Environment): AgentId {
  const around = surroundingsOf(env);
  if (mayBeNamed({ id, around })) return id;
  const own = `claude-${String(around.session)}`;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${source} names ${id}, but this command runs in the session of ${own}.`,
    'Leave it out: guard knows who you are.',
    { source, given: id, own },
  );
}

function unknownSession(): GuardError {
  return new GuardError(
    'GUARD_ERR_USAGE',
    'This Claude Code does not tell commands which session they belong to.',
    'Name the agent, as guard spells it at the session start and in every refusal: --agent claude-<session id>. Or update Claude Code to 2.1.200 or newer.',
  );
}
