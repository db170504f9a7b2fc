/** What a command's arguments and environment say about whose it is (design section 8). Pure: both are handed in. */
import { GuardError } from '../core/error.ts';
import { surroundingsOf } from '../core/speakers.ts';
import type { AgentId } from '../core/types.ts';
import type { Environment } from './shell.ts';

export interface AgentName {
  readonly id: AgentId;
  /** `session`: only the session is known, and a second process of it may be an agent of its own. */
  readonly from: 'option' | 'variable' | 'session' | 'person';
}

/** Ids name files, keys and log lines: no blanks, no control characters, no `..`, of a length that a key can have. */
const ID = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w@.:~+-]+(?:\/[\w@.:~+-]+)*$/;
const MAX_CHARS = 200;

/**
 * `--agent`; GUARD_AGENT_ID; the Claude session; outside of one INTERLOCK_AGENT_ID and INTERMUTE_AGENT_ID; else the person.
 * @param given value of `--agent`
 * @throws GuardError GUARD_ERR_USAGE for an id that is not one, or is of another session than the caller's
 */
export function agentName(given: string | undefined, env: Environment, person: () => AgentId): AgentName {
  const session = sessionOf(env);
  if (given !== undefined)
    return { id: ofSession(checkedId(given, '--agent'), '--agent', session), from: 'option' };
  const variable = env['GUARD_AGENT_ID'] ?? '';
  if (variable !== '') {
    return {
      id: ofSession(checkedId(variable, 'GUARD_AGENT_ID'), 'GUARD_AGENT_ID', session),
      from: 'variable',
    };
  }
  if (session !== null)
    return { id: checkedId(`claude-${session}`, 'CLAUDE_CODE_SESSION_ID'), from: 'session' };
  if (isInClaude(env)) throw unknownSession();
  const foreign = ['INTERLOCK_AGENT_ID', 'INTERMUTE_AGENT_ID'].find((name) => (env[name] ?? '') !== '');
  if (foreign !== undefined) return { id: checkedId(env[foreign] ?? '', foreign), from: 'variable' };
  return { id: person(), from: 'person' };
}

/** Null outside Claude Code, and inside clients up to 2.1.100, which do not say. */
export const sessionOf = (env: Environment): string | null => surroundingsOf(env).session;

/** True in a command that an agent runs. */
export const isInClaude = (env: Environment): boolean => surroundingsOf(env).is_in_claude;

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

/** The session's agent, a second process of it (`~2`), or one of its subagents: nobody speaks for somebody else. */
function ofSession(id: AgentId, source: string, session: string | null): AgentId {
  if (session === null) return id;
  const own = `claude-${session}`;
  const rest = id.startsWith(own) ? id.slice(own.length) : 'another';
  if (/^(?:~\d+)?(?:\/.+)?$/.test(rest)) return id;
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
    'Update Claude Code to 2.1.200 or newer, or name the agent: --agent claude-<session id>',
  );
}
