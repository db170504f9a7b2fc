/** Status, deadlock, joining and heartbeats: each input gets the same answer at every face that has it. */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { workspaceAround } from '../../src/cli/workspace.ts';
import { DEADLOCK } from '../../src/operations/deadlock.ts';
import { HEARTBEAT, REGISTER } from '../../src/operations/membership.ts';
import { STATUS } from '../../src/operations/status.ts';
import { scratch, type Scratch } from '../claude/driver.ts';
import {
  asCommand,
  directly,
  essenceOf,
  type Input,
  type Json,
  openFaces,
  type Said,
  shellAt,
} from './faces.ts';

const RUNS = Number(process.env['GUARD_TEST_FACES'] ?? 25);
const LIMIT_MS = 240_000;

/** Two agents, each holding the file the other wants. */
function crossed(): Scratch {
  const at = scratch();
  for (const [file, agent] of [
    ['a', 'A'],
    ['b', 'B'],
    ['b', 'A'],
    ['a', 'B'],
  ] as const)
    at.guard('lock', 'try', file, '--agent', agent);
  return at;
}

async function inWords(at: Scratch, ...words: readonly string[]): Promise<string> {
  let told = '';
  await runProgram(words, { ...shellAt(at), out: (text) => void (told += text) }, '0');
  return told;
}

/** These fields change between two looks. */
const MOVING = ['last_active_seconds', 'expires_at'];

const timeless = (answer: Json): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (MOVING.includes(name) ? 0 : value)));

describe('status', () => {
  it('is one thing as data, from the command, and in words', async () => {
    const at = crossed();
    const space = workspaceAround(shellAt(at));
    const itself = essenceOf(timeless)(await directly(STATUS, {}, () => space));
    space.close();
    expect(essenceOf(timeless)(await asCommand(at, ['status', '--json']))).toEqual(itself);
    expect(itself).toMatchObject({ repository: at.root, leases: [{ path: 'a' }, { path: 'b' }] });
    const words = await inWords(at, 'status');
    const { agents } = itself as { agents: readonly { agent: string; name: string }[] };
    const held = ['A', 'B'].map(
      (id) => `${id.toLowerCase()}  ${agents.find(({ agent }) => agent === id)?.name}`,
    );
    for (const shown of [at.root, 'deadlock?', ...held]) expect(words).toContain(shown);
  });

  it('takes no arguments, and says so of those that are sent', async () => {
    const at = scratch();
    const space = workspaceAround(shellAt(at));
    const said = await directly(STATUS, { verbose: true }, () => space);
    space.close();
    expect(essenceOf(({ notes }) => notes)(said)).toEqual([
      '"verbose" is not an argument of this call and was ignored.',
    ]);
  });
});

describe('deadlock', () => {
  it(
    'is one thing whatever is asked',
    async () => {
      const at = crossed();
      const hold = (agent: string, path: string) => ({ type: 'hold', agent, path });
      const wait = (agent: string, path: string) => ({ type: 'wait', agent, path });
      const lines = [hold('A', 'x'), hold('B', 'y'), wait('A', 'y'), wait('B', 'x')];
      writeFileSync(at.path('log.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const ask = async (input: Input): Promise<Map<string, Said>> => {
        const space = workspaceAround(shellAt(at));
        const anywhere = { cwd: at.root, env: at.env, pipes: true, ledger: () => space };
        const said = new Map([['itself', await directly(DEADLOCK, input, () => anywhere)]]);
        space.close();
        const { log, certain } = input;
        if (typeof log === 'number' || ![undefined, null, true, false].includes(certain as never))
          return said;
        const words = [
          ...(typeof log === 'string' ? [`--log=${log}`] : []),
          ...(certain === true ? ['--certain'] : []),
        ];
        return said.set('command', await asCommand(at, ['deadlock', '--json', ...words]));
      };
      const asked = fc.record({
        log: fc.constantFrom<unknown>(undefined, null, 'log.jsonl', 'nothing.jsonl', '.', '', 5),
        certain: fc.constantFrom<unknown>(undefined, true, false, 'maybe', 1),
      });
      let seen = '';
      await fc.assert(
        fc.asyncProperty(asked, async (input) => {
          const said = await ask(input);
          const told = [...said.values()].map(essenceOf((answer) => answer));
          expect(told).toEqual(told.map(() => told[0]));
          seen += JSON.stringify(told[0]);
        }),
        {
          numRuns: RUNS,
          examples: [
            [{ log: undefined, certain: undefined }],
            [{ log: 'log.jsonl', certain: true }],
            [{ log: '', certain: undefined }],
            [{ log: 5, certain: undefined }],
            [{ log: '.', certain: 'maybe' }],
          ],
        },
      );
      for (const word of ['possible', '"deadlock"', 'GUARD_ERR_USAGE log', 'GUARD_ERR_USAGE certain'])
        expect(seen).toContain(word);
    },
    LIMIT_MS,
  );
});

describe('joining', () => {
  it(
    'is one thing whatever is said of oneself',
    async () => {
      const faces = await openFaces();
      await faces.http('/api/agents', 'go-first', { name: 'taken' });
      let calls = 0;
      const join = async ({ named, ...said }: Input): Promise<Map<string, Said>> => {
        const one = (): { agent: string; input: Input } => {
          const name = named === 'fresh' ? `n-${++calls}` : named;
          return { agent: `go-${++calls}`, input: { ...said, name } };
        };
        const [first, second, third] = [one(), one(), one()];
        const told = new Map([
          ['itself', await faces.direct(REGISTER, first.agent, first.input)],
          ['http', await faces.http('/api/agents', second.agent, second.input)],
        ]);
        const { name, capabilities, status } = third.input;
        const isTypeable = [name, status].every(
          (it) => it === undefined || it === null || typeof it === 'string',
        );
        const isNames = Array.isArray(capabilities) && capabilities.every((it) => typeof it === 'string');
        if (!isTypeable || !(isNames || capabilities === undefined)) return told;
        const options = [
          ...(typeof name === 'string' ? [`--name=${name}`] : []),
          ...(typeof status === 'string' ? [`--status=${status}`] : []),
          ...(isNames ? [`--can=${capabilities.join(',')}`] : []),
        ];
        return told.set('command', await faces.cli(third.agent, 'join', ...options));
      };
      const asked = fc.record({
        named: fc.constantFrom<unknown>('fresh', 'taken', 'two words', '', 5, null),
        capabilities: fc.constantFrom<unknown>(undefined, ['a', 'b'], ['x'.repeat(70)], 'a', [5]),
        status: fc.constantFrom<unknown>(undefined, 'busy', 'x'.repeat(300), '', 5),
      });
      const self = (answer: Json): unknown => {
        const { capabilities, status } = (answer['agent'] ?? answer) as Json;
        return {
          capabilities,
          status,
          notes: (answer['notes'] as string[] | undefined)?.map((note) => note.replace('--', '')),
        };
      };
      await fc.assert(
        fc.asyncProperty(asked, async (input) => {
          const told = [...(await join(input)).values()].map(essenceOf(self));
          expect(told).toEqual(told.map(() => told[0]));
        }),
        { numRuns: RUNS, examples: [[{ named: 'taken', capabilities: undefined, status: undefined }]] },
      );
    },
    LIMIT_MS,
  );

  it('and a sign of life make whoever it is of be here, at every face', async () => {
    const faces = await openFaces();
    expect(await faces.direct(HEARTBEAT, 'go-one', {})).toHaveProperty('answer');
    await faces.http('/api/agents/go-two/heartbeat', 'go-two', {});
    const said = (await faces.mcp('list_agents', 'go-three', {})) as { readonly answer: unknown };
    const ids = (said.answer as { readonly agent_id: string }[]).map(({ agent_id }) => agent_id);
    expect(ids).toEqual(expect.arrayContaining(['go-one', 'go-two']));
  });
});
