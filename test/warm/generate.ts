/** Events of every kind in every state that a few agents, people and files can produce, generated from one number. */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Env, Scratch } from '../claude/driver.ts';
import { silentFor } from '../claude/driver/silence.ts';

/** One act, the same in each of several repositories. */
export interface Act {
  readonly name: string;
  /** `null` for a change that no hook is told about. */
  readonly event: ((at: Scratch) => object | string) | null;
  readonly env: Env;
  readonly cwd: string;
  /** Runs in each repository before the event. */
  readonly before?: (at: Scratch) => void;
}

const FILES = ['a.txt', 'b.txt', 'src/c.ts', 'src/d e.ts'];
export const FILES_AT_FIRST = Object.fromEntries(FILES.map((name) => [name, `one of ${name}\ntwo\n`]));
const SESSIONS = ['s1', 's2', 's3'];
const COMMANDS = [
  ...[
    'ls',
    'cat a.txt',
    'echo x > b.txt',
    'sed -i s/two/2/ src/c.ts',
    'git status',
    'git add -A && git commit -m x',
  ],
  ...[
    'rm a.txt',
    'npm test',
    'mv b.txt src/b.txt',
    'cat <<X > a.txt\nx\nX',
    'git stash',
    "python3 -c \"open('a.txt', 'w')\"",
  ],
];

/** Mulberry32. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export function act(roll: (sides: number) => number, nth: number, pid: number): Act {
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  const [session, file] = [pick(SESSIONS), pick(FILES)];
  const cwd = pick(['.', '.', 'src']);
  const env = environment(pick, session, pid);
  const base = (at: Scratch) => ({
    ...{
      session_id: session,
      cwd: at.path(cwd),
      permission_mode: 'default',
      transcript_path: join(at.home, `${session}.jsonl`),
    },
    ...(roll(5) === 0 ? { agent_id: 'sub1', agent_type: 'general-purpose' } : {}),
  });
  // Rolled once, so that both repositories get the same.
  const is_sub = roll(5) === 0 ? { agent_id: 'sub1', agent_type: 'general-purpose' } : {};
  const told = (hook_event_name: string, fields: (at: Scratch) => object) => (at: Scratch) => {
    const { session_id, cwd: where, permission_mode, transcript_path } = base(at);
    return {
      session_id,
      cwd: where,
      permission_mode,
      transcript_path,
      ...is_sub,
      hook_event_name,
      ...fields(at),
    };
  };
  const [kind, make] = pick(KINDS);
  const given = make({ file, command: pick(COMMANDS), id: `t${nth - roll(3)}`, is_good: roll(4) !== 0 });
  const event = typeof given === 'string' ? () => given : told(kind, given);
  const before = pick(BEFORE)(file, session);
  return { name: `${nth} ${kind} of ${session}`, event, env, cwd, ...(before && { before }) };
}

const environment = (pick: <T>(list: readonly T[]) => T, session: string, pid: number): Env => ({
  ...pick<Env>([{}, { CLAUDE_PID: String(pid) }, { CLAUDE_PID: '1' }, { CLAUDE_PID: 'x' }]),
  ...pick<Env>([
    {},
    {},
    { CLAUDE_CODE_SESSION_ID: session },
    { CLAUDE_CODE_SESSION_ID: 's1' },
    { COPILOT_CLI: '1' },
  ]),
  ...pick<Env>([
    {},
    {},
    { GUARD_UNREAD: 'always' },
    // Longer than a run, because it would be chance in which of two repositories a lease ends first.
    { GUARD_TTL: '200s' },
    { TZ: 'Asia/Tokyo' },
    { GUARD_COMMANDS: 'required' },
  ]),
});

interface Given {
  readonly file: string;
  readonly command: string;
  readonly id: string;
  readonly is_good: boolean;
}

type Make = (given: Given) => string | ((at: Scratch) => object);

const call =
  (
    tool_name: string,
    tool_input: (at: Scratch, given: Given) => object,
    more: (at: Scratch) => object = () => ({}),
  ): Make =>
  (given) =>
  (at) => ({ tool_name, tool_input: tool_input(at, given), tool_use_id: given.id, ...more(at) });
const edit = (at: Scratch, { file }: Given) => ({
  file_path: at.path(file),
  old_string: 'two',
  new_string: '2',
  replace_all: false,
});
const write = (at: Scratch, { file }: Given) => ({ file_path: at.path(file), content: 'all new\n' });
const bash = (_: Scratch, { command }: Given) => ({ command });
const said =
  (fields: object): Make =>
  () =>
  () =>
    fields;
const OUTPUT = () => ({
  tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false },
  duration_ms: 3,
});

const KINDS: readonly (readonly [string, Make])[] = [
  ['SessionStart', said({ source: 'startup' })],
  ['SessionStart', said({ source: 'compact' })],
  ['UserPromptSubmit', said({ prompt: 'go' })],
  ['PreToolUse', call('Edit', edit)],
  ['PreToolUse', call('Edit', edit)],
  ['PreToolUse', call('Write', write)],
  ['PreToolUse', call('Bash', bash)],
  ['PreToolUse', call('Bash', bash)],
  [
    'PreToolUse',
    call('mcp__filesystem__write_file', (at, { file }) => ({ path: at.path(file), content: 'x' })),
  ],
  ['PreToolUse', call('mcp__guard__lock_try', (at, { file }) => ({ path: at.path(file) }))],
  ['PreToolUse', call('Agent', () => ({ prompt: 'x', subagent_type: 'general-purpose' }))],
  ['PreToolUse', call('WebFetch', () => ({ url: 'x' }))],
  [
    'PostToolUse',
    (given) => (at) => ({
      tool_name: 'Read',
      tool_input: { file_path: at.path(given.file) },
      tool_use_id: given.id,
      tool_response: read(at, given),
    }),
  ],
  [
    'PostToolUse',
    (given) => (at) => ({
      tool_name: 'Edit',
      tool_input: edit(at, given),
      tool_use_id: given.id,
      tool_response: edited(at, given),
      duration_ms: 3,
    }),
  ],
  ['PostToolUse', call('Bash', bash, OUTPUT)],
  ['PostToolUseFailure', call('Edit', edit, () => ({ error: 'no', is_interrupt: false }))],
  [
    'PostToolBatch',
    (given) => (at) => ({
      tool_calls: [
        { tool_name: 'Edit', tool_input: edit(at, given), tool_use_id: given.id, tool_response: 'ok' },
      ],
    }),
  ],
  ['PermissionRequest', call('Bash', bash)],
  ['SubagentStart', said({ agent_id: 'sub1', agent_type: 'general-purpose' })],
  ['SubagentStop', said({ agent_id: 'sub1', background_tasks: [] })],
  ['Stop', said({ background_tasks: [] })],
  ['StopFailure', said({ error: 'x' })],
  [
    'ConfigChange',
    (given) => (at) => ({ source: 'project_settings', file_path: at.path(`.claude/${given.file}`) }),
  ],
  ['SessionEnd', said({ reason: 'other' })],
  ['PreCompact', said({ trigger: 'auto' })],
  ['garbage', () => '{"hook_event_name":"PreToolUse","tool_name":"Edit",'],
  ['garbage', () => 'ünï\u0000çødé'],
];

function read(at: Scratch, { file }: Given): object {
  const content = textAt(at, file);
  const lines = content.split('\n').length;
  return {
    type: 'text',
    file: { filePath: at.path(file), content, numLines: lines, startLine: 1, totalLines: lines },
  };
}

/** As the tool does it, between its two events. */
function edited(at: Scratch, { file, is_good }: Given): object {
  const originalFile = textAt(at, file);
  if (is_good && originalFile !== '') fs.writeFileSync(at.path(file), originalFile.replace('two', '2'));
  return { filePath: at.path(file), oldString: 'two', newString: '2', originalFile, structuredPatch: [] };
}

const textAt = (at: Scratch, file: string): string =>
  fs.existsSync(at.path(file)) ? fs.readFileSync(at.path(file), 'utf8') : '';

type Before = (file: string, session: string) => ((at: Scratch) => void) | undefined;
const nothing: Before = () => undefined;

const BEFORE: readonly Before[] = [
  ...[nothing, nothing, nothing, nothing, nothing, nothing],
  (file) => (at) => void at.put(file, 'a person wrote two\n'),
  (file) => (at) => fs.rmSync(at.path(file), { force: true }),
  (file, session) => (at) => void at.guardWith({ CLAUDE_CODE_SESSION_ID: session }, 'lock', 'try', file),
  (_, session) => (at) => {
    if (at.log().some(({ agent, type }) => agent === `claude-${session}` && type === 'agent.join'))
      silentFor(at.state, `claude-${session}`, 400_000);
  },
];
