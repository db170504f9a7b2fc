/** Events of every kind in every state that a few agents, people and files can produce, generated from one number. */
import fs from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../src/core/attempt.ts';
import type { Scratch } from '../claude/driver.ts';
import { silentFor } from '../claude/driver/silence.ts';
import { around, type Around } from './around.ts';
import { harmOf } from './harm.ts';

/** One act, the same in each of several repositories. */
export interface Act {
  readonly name: string;
  readonly event: (at: Scratch) => object | string | Buffer;
  readonly around: Around;
  /** Runs in each repository before the event. */
  readonly before: (at: Turned) => void;
}

/** Runs `guard` with the clocks of the repository's hooks. */
export interface Turned extends Scratch {
  command(session: string, ...args: readonly string[]): void;
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
  const here = around(pick, session, pid);
  const mode = pick(['default', 'default', 'acceptEdits', 'plan', 'bypassPermissions']);
  // Rolled once, so that both repositories get the same.
  const subagent = roll(5) === 0 ? { agent_id: 'sub1', agent_type: 'general-purpose' } : {};
  const told = (hook_event_name: string, fields: (at: Scratch) => object) => (at: Scratch) => ({
    ...{ session_id: session, transcript_path: join(at.home, `.claude/projects/-repo/${session}.jsonl`) },
    ...{ cwd: here.cwd(at), permission_mode: mode, ...subagent, hook_event_name },
    ...fields(at),
  });
  const [kind, make] = pick(KINDS);
  const given = make({ file, command: pick(COMMANDS), id: `t${nth - roll(3)}`, is_good: roll(4) !== 0 });
  const whole = typeof given === 'string' ? () => given : told(kind, given);
  const harm = roll(12) === 0 ? harmOf(roll) : undefined;
  const event = harm === undefined ? whole : (at: Scratch) => harm.apply(whole(at));
  const before = pick(BEFORE)(file, session);
  return { name: `${nth} ${kind} of ${session}${harm ? `, ${harm.name}` : ''}`, event, around: here, before };
}

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

type Before = (file: string, session: string) => (at: Turned) => void;
const nothing: Before = () => () => undefined;

const ledgerOf = ({ state }: Scratch): string =>
  join(
    state,
    fs
      .readdirSync(state)
      .filter((name) => name.startsWith('ledger-'))
      .sort()
      .at(-1) ?? 'ledger-0',
  );

function silence(at: Scratch, id: string): void {
  if (at.log().some(({ agent, type }) => agent === id && type === 'agent.join'))
    silentFor(at.state, id, 400_000);
}

/** Changes that no hook is told about. */
const BEFORE: readonly Before[] = [
  ...Array.from({ length: 40 }, () => nothing),
  (file) => (at) => void at.put(file, 'a person wrote two\n'),
  (file) => (at) => fs.rmSync(at.path(file), { force: true }),
  (file, session) => (at) => at.command(session, 'lock', 'try', file),
  (file, session) => (at) => at.command(session, 'lock', 'release', file),
  (_, session) => (at) => at.command(session, 'reserve', 'src/**', '*.md', '--reason', 'x'),
  (_, session) => (at) =>
    at.command(session, 'message', 'send', 'look', '--to', 'claude-s1', '--importance', 'urgent'),
  // Not possible in a damaged or copied ledger.
  (_, session) => (at) => attempt(() => silence(at, `claude-${session}`), undefined),
  // Caches that are gone, and what a crash leaves.
  () => (at) => fs.rmSync(join(at.state, 'index'), { force: true }),
  () => (at) => fs.rmSync(join(at.state, 'paths'), { force: true }),
  () => (at) => fs.appendFileSync(ledgerOf(at), '{"v":1,"id":"torn'),
  () => (at) => fs.rmSync(join(at.state, 'seen'), { recursive: true, force: true }),
  () => (at) => void at.put('guard.config.json', JSON.stringify({ preset: 'auto', unread: 'always' })),
  () => (at) => void at.put('guard.config.json', '{"preset":'),
  // More often than it is made unreadable, because no server is started until then.
  ...Array.from({ length: 3 }, () => () => (at: Scratch) => {
    fs.rmSync(at.path('guard.config.json'), { force: true });
  }),
  () => (at) => at.command('', 'compact'),
];
