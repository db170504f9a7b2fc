// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which client an event or a command comes from. Pure: the event and the environment are passed in. */
import { hostIn, type MarkedHost } from '../../core/host-variables.ts';
import { asFields, asText, type Fields } from '../fields.ts';

/** `unknown`: nothing identifies the client. */
export type Host = MarkedHost | 'vscode' | 'unknown';

export type Variables = Readonly<Record<string, string | undefined>>;

type Sign = (raw: Fields, event: string) => boolean;

const has =
  (...names: readonly string[]): Sign =>
  (raw) =>
    names.some((name) => name in raw);

const keepsItsTranscriptIn =
  (dir: string): Sign =>
  (raw) =>
    asText(raw['transcript_path'] ?? raw['transcriptPath'])
      .replaceAll('\\', '/')
      .includes(`/${dir}/`);

const GEMINI_EVENT = /^(?:Before|After)(?:Agent|Model|Tool|ToolSelection)$/;

/**
 * Fields that only one client sends, in recorded events (test/fixtures/hosts). The event takes precedence over the
 * environment: a client that was started by another one inherits the other's variables, but not its events.
 */
const EVENTS: readonly (readonly [Host, Sign])[] = [
  ['copilot', has('toolArgs', 'toolResult', 'hookName', 'parent_agent_id', 'parentAgentId')],
  ['copilot', ({ tool_result }) => 'text_result_for_llm' in asFields(tool_result)],
  ['copilot', keepsItsTranscriptIn('.copilot')],
  ['copilot', ({ sessionId, timestamp }) => typeof sessionId === 'string' && typeof timestamp === 'number'],
  [
    'opencode',
    ({ input, output }) => asText(asFields(input)['callID']) !== '' && asFields(output) === output,
  ],
  ['gemini', (_raw, event) => GEMINI_EVENT.test(event)],
  ['gemini', keepsItsTranscriptIn('.gemini')],
  ['qwen', has('tool_call_id', 'submitted_prompt')],
  ['qwen', keepsItsTranscriptIn('.qwen')],
  ['codex', has('turn_id')],
  ['codex', keepsItsTranscriptIn('.codex')],
  ['vscode', has('hookEventName')],
  // Copilot through Claude's settings file is the only client that sends a time and no transcript.
  ['copilot', ({ timestamp, transcript_path }) => timestamp !== undefined && transcript_path === undefined],
  ['claude', has('transcript_path')],
];

/** @param raw the event on standard input; an empty object for a command that is not a hook */
export function hostOf(env: Variables, raw: Fields): Host {
  const event = asText(raw['hook_event_name'] ?? raw['hookEventName']);
  const [said] = EVENTS.find(([, sign]) => sign(raw, event)) ?? [];
  return said ?? hostIn(env) ?? 'unknown';
}

/**
 * The environment of a command, without what an outer client left in it: inside another client, Claude's variables name
 * the agent that started that client. They are replaced by the inner client's own name for its agent, if it has one.
 */
export function innermost(env: Variables): Variables {
  const host = hostOf(env, {});
  if (host === 'claude' || host === 'unknown') return env;
  const own = withoutOuter(env);
  const given = env['GUARD_AGENT_ID'] ?? '';
  const id = isNamedByAnother(given, host) ? (OWN_ID[host]?.(env) ?? '') : given;
  return id === '' ? own : { ...own, GUARD_AGENT_ID: id };
}

export const withoutOuter = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OUTER.includes(name)));

const OUTER = 'CLAUDECODE CLAUDE_PID CLAUDE_CODE_SESSION_ID CLAUDE_SESSION_ID GUARD_AGENT_ID'.split(' ');

/** Left by an outer client, or not set; a name that belongs to no client is the user's own choice. */
const isNamedByAnother = (given: string, host: Host): boolean =>
  given === '' || (isOfHost(given) && !given.startsWith(`${host}-`));

/** Gemini and opencode name no agent in a shell's environment. A subagent of Copilot has an id there that no event uses. */
const OWN_ID: Readonly<Partial<Record<Host, (env: Variables) => string>>> = {
  copilot: (env) => named('copilot', env['COPILOT_AGENT_SESSION_ID']),
  codex: ({ CODEX_SESSION_ID: session = '', CODEX_THREAD_ID: thread = '' }) =>
    named(
      'codex',
      session !== '' && thread !== '' && session !== thread ? `${session}/${thread}` : session || thread,
    ),
  qwen: ({ QWEN_CODE_SESSION_ID: session = '', QWEN_CODE_AGENT_ID: agent = '' }) =>
    named('qwen', agent === '' || agent === 'main' ? session : `${session}/${agent}`),
};

const named = (host: Host, id = ''): string => (id === '' ? '' : `${host}-${id}`);

/** Whether an id is that of a client's session, with or without a subagent. */
export const isOfHost = (agent: string): boolean =>
  /^(?:claude|copilot|codex|gemini|qwen|opencode|vscode)-/.test(agent);
