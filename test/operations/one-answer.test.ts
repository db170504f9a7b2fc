/** Each input, valid, wrong or odd, gets the same answer from the operation, over MCP, over HTTP and from a command. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEGOTIATE_RELEASE } from '../../src/operations/negotiation.ts';
import { SEND_MESSAGE } from '../../src/operations/send.ts';
import { RESERVE_FILES } from '../../src/operations/reservations.ts';
import { LOCK_TRY } from '../../src/operations/locks.ts';
import { type Faces, type Input, openFaces, type Said } from './faces.ts';

const RUNS = Number(process.env['GUARD_TEST_FACES'] ?? 25);
const LIMIT_MS = 240_000;

/** The part that two faces must agree on. */
type Essence = string;

/** Each call has its own agent and directory, so that no answer depends on the previous one. */
let calls = 0;
const fresh = (): { agent: string; dir: string } => ({ agent: `go-${++calls}`, dir: `d${calls}` });

const given = (name: string, value: unknown): readonly string[] =>
  value === undefined || value === null
    ? []
    : [name, typeof value === 'string' ? value : JSON.stringify(value)];

/** The form a person types: a number carries the unit of its field. */
const typed = (value: unknown, unit: string): unknown =>
  typeof value === 'number' || /^-?\d+$/.test(String(value)) ? `${String(value)}${unit}` : value;

const refusal = (
  said: Extract<Said, { code: string }>,
  names: Readonly<Record<string, string>> = {},
): Essence => `${said.code} ${names[said.field ?? ''] ?? said.field}`;

function reserved(said: Said): Essence {
  if ('code' in said) return refusal(said, { path_pattern: 'patterns' });
  const [one] = (said.answer['reservations'] ?? [said.answer]) as {
    exclusive: boolean;
    since: string;
    expires_at: string;
    reason: string;
  }[];
  if (one === undefined) return 'not reserved';
  const minutes = Math.round((Date.parse(one.expires_at) - Date.parse(one.since)) / 60_000);
  return `reserved ${one.exclusive ? 'exclusively' : 'shared'} for ${minutes} min, "${one.reason}"`;
}

/** Notes on altered values, except on spelling (a command line is all text), with durations in minutes. */
const notesOf = (said: Said): unknown =>
  'code' in said
    ? null
    : ((said.answer['notes'] ?? []) as string[])
        .filter((note) => !note.includes('was read as'))
        // Commands report durations (24h) where the other faces report minutes (1440).
        .map((note) => note.replace(/^--?\w+|^\w+/, '').replaceAll('24h', '1440'));

async function reserve(faces: Faces, input: Input): Promise<Map<string, Said>> {
  const { reason, ttl_minutes, exclusive } = input;
  const said = new Map<string, Said>();
  const one = fresh();
  said.set('itself', await faces.direct(RESERVE_FILES, one.agent, { ...input, patterns: [one.dir] }));
  const two = fresh();
  said.set('mcp', await faces.mcp('reserve_files', two.agent, { ...input, patterns: [two.dir] }));
  const three = fresh();
  said.set('http', await faces.http('/api/reservations', three.agent, { ...input, path_pattern: three.dir }));
  const isTypeable =
    [undefined, null, '', true, false, 'true', 'false'].includes(exclusive as never) &&
    typeof reason !== 'number' &&
    typeof ttl_minutes !== 'boolean';
  if (!isTypeable) return said;
  const four = fresh();
  const shared = String(exclusive) === 'false' ? ['--shared'] : [];
  const words = [...given('--reason', reason ?? ''), ...given('--ttl', typed(ttl_minutes, 'm')), ...shared];
  said.set('command', await faces.cli(four.agent, 'reserve', four.dir, ...words));
  return said;
}

const essences = (said: Map<string, Said>, of: (one: Said) => unknown): Record<string, unknown> =>
  Object.fromEntries([...said].map(([face, one]) => [face, of(one)]));

function expectOne(said: Map<string, Said>, of: (one: Said) => unknown): void {
  const told = essences(said, of);
  expect(told).toEqual(Object.fromEntries([...said.keys()].map((face) => [face, told['itself']])));
}

describe('reserving', () => {
  it.each([
    ['with an empty reason', { reason: '' }, 'GUARD_ERR_USAGE reason'],
    ['for 48 hours', { ttl_minutes: 2_880 }, 'reserved exclusively for 1440 min, "work"'],
    ['for -5 minutes', { ttl_minutes: -5 }, 'GUARD_ERR_USAGE ttl_minutes'],
    ['for "abc" minutes', { ttl_minutes: 'abc' }, 'GUARD_ERR_USAGE ttl_minutes'],
    [
      'for "60" minutes, exclusive "false"',
      { ttl_minutes: '60', exclusive: 'false' },
      'reserved shared for 60 min, "work"',
    ],
  ] as const)(
    '%s is one thing at every face',
    async (_, odd, answer) => {
      const said = await reserve(await openFaces(), { reason: 'work', ...odd });
      expect([...said.keys()]).toEqual(['itself', 'mcp', 'http', 'command']);
      expectOne(said, reserved);
      expect(reserved(said.get('itself') as Said)).toBe(answer);
      expectOne(said, notesOf);
    },
    LIMIT_MS,
  );

  it(
    'says what was cut, and what was read as another type',
    async () => {
      const { agent, dir } = fresh();
      const asked = {
        patterns: [dir],
        reason: 'work',
        ttl_minutes: '2880',
        exclusive: 'false',
        colour: 'red',
      };
      const said = await (await openFaces()).mcp('reserve_files', agent, asked);
      expect('answer' in said && said.answer['notes']).toEqual([
        'ttl_minutes: "2880" was read as 2880.',
        'ttl_minutes: 1440 is the most, so it is 1440.',
        'exclusive: "false" was read as false.',
        '"colour" is not an argument of this call and was ignored.',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'is one thing whatever is asked',
    async () => {
      const faces = await openFaces();
      const asked = fc.record(
        {
          reason: fc.constantFrom<unknown>('work', '', 'x'.repeat(600), 5, null),
          ttl_minutes: fc.constantFrom<unknown>(15, 60, '60', 'abc', -5, '-5', 0, 2_880, null, true, '', 1e8),
          exclusive: fc.constantFrom<unknown>(true, false, 'false', 'true', 'maybe', 1, null),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(asked, async (input) => {
          const said = await reserve(faces, input);
          expectOne(said, reserved);
          expectOne(said, notesOf);
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});

describe('writing', () => {
  it(
    'is one thing whatever is asked',
    async () => {
      const faces = await openFaces();
      await faces.mcp('list_agents', 'claude-reader', {});
      const asked = fc.record({
        to: fc.constantFrom<unknown>('claude-reader', 'nobody', '', ['claude-reader']),
        body: fc.constantFrom('hello', '', 'x'.repeat(16_385)),
        importance: fc.constantFrom<unknown>('low', 'urgent', 'critical', '', null),
        thread_id: fc.constantFrom<unknown>(undefined, 't-1', 'a\u001bb'),
      });
      const essence = (said: Said): Essence => ('code' in said ? refusal(said) : 'sent');
      const send = async (input: Input & { to: unknown; thread_id: unknown }): Promise<Map<string, Said>> => {
        const to = Array.isArray(input.to) ? input.to : [input.to];
        const options = [
          ...given('--importance', input['importance']),
          ...given('--thread', input.thread_id),
        ];
        const named = to.filter((name) => name !== '').flatMap((name) => given('--to', name));
        return new Map<string, Said>([
          ['itself', await faces.direct(SEND_MESSAGE, fresh().agent, input)],
          ['mcp', await faces.mcp('send_message', fresh().agent, input)],
          ['http', await faces.http('/api/messages', fresh().agent, input)],
          [
            'command',
            await faces.cli(fresh().agent, 'message', 'send', String(input['body']), ...named, ...options),
          ],
        ]);
      };
      await fc.assert(
        fc.asyncProperty(asked, async (input) => expectOne(await send(input), essence)),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});

describe('asking for a file', () => {
  it(
    'is one thing whatever is asked',
    async () => {
      const faces = await openFaces();
      await faces.mcp('lock_try', 'claude-holder', { filepaths: ['held.ts'] });
      const asked = fc.record({
        agent_name: fc.constantFrom('claude-holder', 'nobody', ''),
        file: fc.constantFrom('held.ts', 'free.ts', '../out', ''),
        reason: fc.constantFrom('need it', ''),
        urgency: fc.constantFrom('normal', 'urgent'),
        wait_seconds: fc.constantFrom<unknown>(0, '0', -1, 'soon'),
      });
      const essence = (said: Said): Essence =>
        'code' in said ? refusal(said) : String(said.answer['status']);
      const ask = async (input: Input): Promise<Map<string, Said>> => {
        const { agent_name, file, reason, urgency, wait_seconds } = input;
        const options = [
          ...[...given('--of', agent_name), ...given('--reason', reason)],
          ...[...given('--wait', typed(wait_seconds, 's')), ...(urgency === 'urgent' ? ['--urgent'] : [])],
        ];
        return new Map<string, Said>([
          ['itself', await faces.direct(NEGOTIATE_RELEASE, fresh().agent, input)],
          ['mcp', await faces.mcp('negotiate_release', fresh().agent, input)],
          ['http', await faces.http('/api/negotiations', fresh().agent, input)],
          ['command', await faces.cli(fresh().agent, 'negotiate', 'request', String(file), ...options)],
        ]);
      };
      await fc.assert(
        fc.asyncProperty(asked, async (input) => expectOne(await ask(input), essence)),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});

describe('locking', () => {
  it(
    'is one thing whatever is asked',
    async () => {
      const faces = await openFaces();
      const asked = fc.record({
        ttl_seconds: fc.constantFrom<unknown>(60, '60', 0, -1, 86_401, 'abc', '', null),
        shared: fc.constantFrom<unknown>(true, false, 'true', null),
        all_or_nothing: fc.constantFrom<unknown>(true, 'false', undefined),
        directory: fc.boolean(),
      });
      const essence = (said: Said): Essence =>
        'code' in said ? refusal(said) : String(said.answer['all_acquired']);
      await fc.assert(
        fc.asyncProperty(asked, async ({ directory, ...input }) => {
          const files = (dir: string): string[] => [`${dir}.ts`, ...(directory ? ['.'] : [])];
          const [one, two, three] = [fresh(), fresh(), fresh()];
          const options = [
            ...given('--ttl', typed(input.ttl_seconds, 's')),
            ...(String(input.shared) === 'true' ? ['--shared'] : []),
            ...(input.all_or_nothing === true ? ['--all'] : []),
          ];
          const said = new Map<string, Said>([
            ['itself', await faces.direct(LOCK_TRY, one.agent, { ...input, filepaths: files(one.dir) })],
            ['mcp', await faces.mcp('lock_try', two.agent, { ...input, filepaths: files(two.dir) })],
            ['command', await faces.cli(three.agent, 'lock', 'try', ...files(three.dir), ...options)],
          ]);
          expectOne(said, essence);
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});
