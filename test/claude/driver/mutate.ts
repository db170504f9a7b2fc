/** Events no client should send: recorded ones, damaged. */
export interface Dice {
  /** An integer from 0 to `sides` - 1. */
  below(sides: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Deterministic for a seed (mulberry32). */
export function dice(seed: number): Dice {
  const state = { at: seed >>> 0 };
  const below = (sides: number): number => {
    state.at = (state.at + 0x6d2b79f5) >>> 0;
    const a = Math.imul(state.at ^ (state.at >>> 15), state.at | 1);
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
    return ((b ^ (b >>> 14)) >>> 0) % sides;
  };
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}

const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', 'x', [], {}, [[]], { a: 1 }, ['a.txt']],
  ...['\0', '\ud800', '\u202e', 'a\nb', '../../..', '/', '~', '__proto__', 'constructor', 'x'.repeat(5_000)],
];
const PATHS: readonly string[] = [
  ...[
    'a.txt',
    './a.txt',
    'rel/../a.txt',
    'rel//r.txt',
    'new/deep/x.txt',
    'A.TXT',
    'a.txt/',
    'a.txt/b',
    '.',
    '..',
    '~',
  ],
  ...[
    '~/x',
    '/etc/passwd',
    '/dev/null',
    '/dev/fd/0',
    '/proc/self/cwd/a.txt',
    '/proc/self/mem',
    'a.txt\0',
    'a\nb.txt',
  ],
  ...[
    '.git/config',
    '.git/guard/install.json',
    '.claude/settings.json',
    '.claude/guard-hook.cjs',
    'guard.config.json',
  ],
  ...[
    '\ud800.txt',
    'caf\u00e9.txt',
    'cafe\u0301.txt',
    '-rf',
    '*',
    '$HOME',
    '%2e%2e',
    '\\a.txt',
    'x/'.repeat(300),
    'y'.repeat(300),
  ],
];
const EVENT_NAMES = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SessionEnd',
  'Nothing',
];
const TOOLS = [
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Read',
  'Bash',
  'create_file',
  'mcp__x__y',
  '',
  'write',
];
const IDS = ['', 's', '../../x', 'a/b', 'x~2', '\0', 'x'.repeat(400), '00000000-0000-4000-8000-000000000001'];

type Fields = Record<string, unknown>;
type Mutation = (event: Fields, roll: Dice, root: string) => void;

/** A random existing field of the event. */
function spot(event: Fields, roll: Dice): [Fields, string] {
  const input = event['tool_input'];
  const inner =
    roll.below(2) === 0 && typeof input === 'object' && input !== null ? (input as Fields) : event;
  const names = Object.keys(inner);
  return names.length === 0 ? [event, 'x'] : [inner, roll.pick(names)];
}

const inputOf = (event: Fields): Fields => {
  const input = event['tool_input'];
  return typeof input === 'object' && input !== null ? (input as Fields) : {};
};

const SHAPES: readonly Mutation[] = [
  (event, roll) => {
    const [at, name] = spot(event, roll);
    at[name] = roll.pick(VALUES);
  },
  (event, roll) => {
    const [at, name] = spot(event, roll);
    Reflect.deleteProperty(at, name);
  },
  (event, roll, root) => {
    const input = inputOf(event);
    const name = ['file_path', 'notebook_path', 'path'].find((one) => one in input) ?? 'file_path';
    const path = roll.pick(PATHS);
    input[name] = roll.below(2) === 0 || path.startsWith('/') ? path : `${root}/${path}`;
  },
  (event, roll, root) => {
    event['cwd'] = roll.pick([root, `${root}/rel`, '/', '/nowhere', '/proc/self/cwd', 'rel', '', 5]);
  },
  (event, roll) => {
    event[roll.pick(['session_id', 'agent_id', 'tool_use_id', 'agent_type'])] = roll.pick(IDS);
  },
  (event, roll) => {
    event['tool_name'] = roll.pick(TOOLS);
  },
  (event, roll) => {
    event['hook_event_name'] = roll.pick(EVENT_NAMES);
  },
  (event, roll) => {
    const [at, name] = spot(event, roll);
    at[name] = 'z'.repeat(roll.below(200_000));
  },
];

type Damage = (text: string, roll: Dice) => string;

const DAMAGES: readonly Damage[] = [
  (text, roll) => text.slice(0, roll.below(text.length)),
  (text, roll) => {
    const at = roll.below(text.length);
    return (
      text.slice(0, at) + roll.pick(['\0', '"', '}', '\\', '\ufeff', ',', '\u2028', '[']) + text.slice(at)
    );
  },
  (text) => `\ufeff${text}`,
  (text) => text + text,
  (text, roll) => text.replace('{', `{"tool_name":"${roll.pick(TOOLS)}","tool_input":{},`),
  (text, roll) => text.replace(/\}\s*$/, `,"x":${'['.repeat(roll.below(3_000))}`),
  (text, roll) =>
    `{"deep":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)},${text.trim().slice(1)}${' '.repeat(roll.below(9))}`,
];

/** Applies one to three mutations; every sixth time also damages the text itself. */
export function mutated(text: string, roll: Dice, root: string): string {
  const event = JSON.parse(text) as Fields;
  for (let n = roll.below(3); n >= 0; n--) roll.pick(SHAPES)(event, roll, root);
  const whole = JSON.stringify(event);
  return roll.below(6) === 0 ? roll.pick(DAMAGES)(whole, roll) : whole;
}
