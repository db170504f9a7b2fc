/** How the client is started for an agent: arguments, settings, servers, environment. Pure. */
import type { Access } from '../core/drafts.ts';
import type { ProcessMark } from '../core/types.ts';
import type { HookTable } from '../install/entries.ts';
import { ASKED_FOR } from './final-block.ts';
import type { Role } from './roles.ts';

/** Set in the environment of everything an agent starts, so that its processes can be found when it has to be ended. */
export const MARK = 'GUARD_DRAFTED';

/** Pid of the process that supervises the agent, for the agent's own hooks. */
export const SUPERVISOR = 'GUARD_SUPERVISOR';
/** Its start time, as in `/proc/<pid>/stat`: another process may get its pid. Only on Linux. */
export const SUPERVISOR_START = 'GUARD_SUPERVISOR_START';

/** The client refuses to start more subagents than this at a time, and tells the model so. */
const SUBAGENTS = 'CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS';

export interface CallFacts {
  readonly id: string;
  readonly session: string;
  readonly role: Role;
  readonly access: Access;
  readonly hooks: HookTable;
  /** Rules that let agents run guard's commands. */
  readonly permissions: readonly string[];
  /** Program and arguments of guard itself. */
  readonly guard: readonly [string, ...string[]];
}

/** None of it is written to anyone's settings file. The prompt goes to standard input. */
export function clientArgs(facts: CallFacts): string[] {
  const { session, role } = facts;
  return [
    '-p',
    ...['--input-format', 'stream-json', '--replay-user-messages'],
    ...['--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...['--session-id', session],
    ...['--settings', JSON.stringify(settingsFor(facts))],
    ...['--mcp-config', JSON.stringify(serversFor(facts))],
    ...['--append-system-prompt', `${role.prompt.trim()}\n\n${ASKED_FOR}`],
    ...(role.model === null ? [] : ['--model', role.model]),
  ];
}

/** The same arguments for an existing session. */
export const resuming = (args: readonly string[]): string[] =>
  args.map((arg) => (arg === '--session-id' ? '--resume' : arg));

/** Replaces the budget that it was first started with. */
export function withBudget(args: readonly string[], usd: number | null): string[] {
  const at = args.lastIndexOf('--max-budget-usd');
  const others = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  return [...others, ...budgetArgs(usd)];
}

/** The client stops itself after the call that exhausted the budget. `null`: no limit. */
export const budgetArgs = (share_usd: number | null): string[] =>
  share_usd === null ? [] : ['--max-budget-usd', String(share_usd)];

function settingsFor({ hooks, role, permissions }: CallFacts): object {
  const allow = [...role.tools, ...permissions, 'mcp__guard'];
  // Here and not in its environment, which the repository's own settings would override.
  const env = role.subagents === null ? {} : { env: { [SUBAGENTS]: String(role.subagents) } };
  return { hooks, permissions: { allow }, ...env };
}

function serversFor({ id, role, guard: [command, ...args] }: CallFacts): object {
  const tools = ['mcp', '--tools', 'locks,coordination,harness', '--role', role.name];
  return {
    mcpServers: { guard: { command, args: [...args, ...tools], env: { GUARD_AGENT_ID: id } } },
  };
}

/** Names of the drafting session, its agent and other coordination servers' agents; where git was told to work. */
const NOT_INHERITED =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)$|INTERLOCK_|INTERMUTE_|GUARD_AGENT_ID$|GUARD_(?:DRAFTED|SUPERVISOR|SUPERVISOR_START|MARK|FENCED|FENCE_ERROR)$|GUARD_ENDED_|CLAUDECODE$|CLAUDE_PID$|CLAUDE_SESSION_ID$|CLAUDE_PROJECT_DIR$|CLAUDE_ENV_FILE$|CLAUDE_EFFORT$|CLAUDE_PLUGIN_|CLAUDE_CODE_(?:SESSION_ID|PARENT_SESSION_ID|REMOTE_SESSION_ID|TASK_LIST_ID|AGENT_|TEAM_|ENTRYPOINT|SSE_PORT|MESSAGING_|CHILD_)|AI_AGENT$)/;

type Environment = Readonly<Record<string, string | undefined>>;

export function inherited(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !NOT_INHERITED.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** For the agent's own hooks, which check whether it is still there. */
export const supervisedBy = (pid: number, mark: ProcessMark | null): Record<string, string> => ({
  [SUPERVISOR]: String(pid),
  ...(mark !== null && /^\d+$/.test(mark.start) ? { [SUPERVISOR_START]: mark.start } : {}),
});

/** A tool call may take as long as `await_agent` does. */
export const added = (id: string, stream_timeout_ms: number): Record<string, string> => ({
  [MARK]: id,
  CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: String(stream_timeout_ms),
});
