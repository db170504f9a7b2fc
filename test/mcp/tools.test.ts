/** The lock tools over MCP: shapes, order, idempotence, partial results. */
import { CallToolResultSchema, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve } from './client.ts';

const A = 'claude-a';
const B = 'claude-b';

describe('the server', () => {
  it('offers the five lock tools with descriptions and schemas, and tells the workflow in five steps', async () => {
    const { client } = await serve(scratch());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('lock_'))).toEqual([
      'lock_try',
      'lock_wait',
      'lock_release',
      'lock_status',
      'lock_release_all',
    ]);
    expect(tools.every(({ description }) => (description ?? '').length > 30)).toBe(true);
    const wait = tools.find(({ name }) => name === 'lock_wait')?.inputSchema;
    expect(wait?.required).toEqual(['filepaths']);
    expect(wait?.properties).toMatchObject({
      filepaths: { type: 'array', items: { type: 'string' } },
      timeout_seconds: { type: 'number', default: 30 },
      all_or_nothing: { type: 'boolean' },
      shared: { type: 'boolean' },
      ttl_seconds: { type: 'number' },
    });
    expect(tools.find(({ name }) => name === 'lock_release_all')?.inputSchema.required ?? []).toEqual([]);
    const instructions = client.getInstructions() ?? '';
    for (const step of [
      '1. Call lock_try with ALL files you plan to modify',
      '2. Check the results',
      '3. For blocked files, call lock_wait',
      '4. Read and edit the files you have locked',
      '5. Call lock_release when you are done',
    ])
      expect(instructions).toContain(step);
  });

  it('refuses arguments that are none, and goes on', async () => {
    const server = await serve(scratch());
    const wrong = await server.client.callTool({ name: 'lock_try', arguments: { filepaths: 'a' } });
    expect(wrong.isError).toBe(true);
    expect((await server.as(A).lockTry('a')).all_acquired).toBe(true);
  });

  it.each(['a', 5, true, ['a']])(
    'answers arguments that are no object (%j) as any other wrong ones',
    async (given) => {
      const { client } = await serve(scratch());
      const call = { method: 'tools/call', params: { name: 'lock_try', arguments: given } };
      const { isError, content } = await client.request(call, CallToolResultSchema);
      expect(isError).toBe(true);
      expect(JSON.parse((content[0] as { text: string }).text)).toMatchObject({
        error: { code: 'GUARD_ERR_USAGE', facts: { field: 'arguments' } },
      });
    },
  );

  it('has no other method, and says so as JSON-RPC does', async () => {
    const { client } = await serve(scratch());
    const ask = client.request({ method: 'prompts/list' }, CallToolResultSchema);
    await expect(ask).rejects.toMatchObject({ code: ErrorCode.MethodNotFound });
  });

  it('says as data where a repository is not set up', async () => {
    const server = await serve(scratch({ init: null }));
    expect((await server.as(A).lockTry('a')).error).toMatchObject({
      code: 'GUARD_ERR_NOT_INITIALISED',
      hint: 'Run `guard init` there.',
    });
  });
});

describe('lock_try', () => {
  it('returns per-file results with correct acquired and holder', async () => {
    const at = scratch();
    const server = await serve(at);
    await server.as(A).lockTry('src/utils.py');
    const told = await server.as(B).lockTry('src/main.py', 'src/utils.py', 'src/config.py');
    expect(told).toMatchObject({
      results: [
        { filepath: 'src/config.py', acquired: true, holder: null },
        { filepath: 'src/main.py', acquired: true, holder: null },
        { filepath: 'src/utils.py', acquired: false, holder: A, holders: [A] },
      ],
      all_acquired: false,
    });
    expect(Object.keys(told)).toEqual(['results', 'all_acquired']);
  });

  it('with all_or_nothing takes nothing where it cannot take everything', async () => {
    const server = await serve(scratch());
    await server.as(A).lockTry('b');
    const told = await server.as(B).call('lock_try', { filepaths: ['a', 'b'], all_or_nothing: true });
    expect(told.results.map(({ acquired }) => acquired)).toEqual([false, false]);
    expect((await server.as(A).lockTry('a')).all_acquired).toBe(true);
  });

  it('shared locks go together, an exclusive one does not', async () => {
    const server = await serve(scratch());
    const shared = { filepaths: ['a'], shared: true };
    expect((await server.as(A).call('lock_try', shared)).all_acquired).toBe(true);
    expect((await server.as(B).call('lock_try', shared)).all_acquired).toBe(true);
    const told = await server.as('claude-c').lockTry('a');
    expect(told.results[0]).toMatchObject({ acquired: false, holder: A, holders: [A, B] });
  });

  it('ttl_seconds says how long the lock lasts', async () => {
    const at = scratch();
    const server = await serve(at);
    await server.as(A).call('lock_try', { filepaths: ['a'], ttl_seconds: 0.2 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await server.as(B).lockTry('a')).all_acquired).toBe(true);
  });

  it('is for the holder the same lock again', async () => {
    const { as } = await serve(scratch());
    const [first, second] = [await as(A).lockTry('a'), await as(A).lockTry('./a')];
    expect(second.results[0]).toMatchObject({ filepath: './a', acquired: true });
    expect(second.results[0]?.token).toBe(first.results[0]?.token);
  });

  it('two spellings of one file are two results and one lock; a path that is none is an error of its own', async () => {
    const at = scratch();
    const { as } = await serve(at);
    const told = await as(A).lockTry('a', at.path('a'), '.');
    expect(told.results).toMatchObject([
      { filepath: '.', acquired: false, error: expect.stringContaining('directory') as string },
      { acquired: true },
      { acquired: true },
    ]);
    expect((await as(A).call('lock_release_all')).count).toBe(1);
  });
});

describe('lock_release', () => {
  it('is idempotent, and returns per-file released status', async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a');
    expect(await as(A).release('b', 'a')).toEqual({
      results: [
        { filepath: 'a', released: true, was_held: true },
        { filepath: 'b', released: true, was_held: false },
      ],
      all_released: true,
    });
    expect((await as(A).release('a')).all_released).toBe(true);
  });

  it("never removes another agent's lock", async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a');
    expect((await as(B).release('a')).results[0]).toMatchObject({ was_held: false });
    expect((await as(B).lockTry('a')).results[0]).toMatchObject({ acquired: false, holder: A });
  });
});

describe('lock_status', () => {
  it('correctly identifies held_by_me and another holder', async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a');
    await as(B).lockTry('b');
    expect((await as(A).call('lock_status', { filepaths: ['a', 'b', 'c'] })).results).toMatchObject([
      { filepath: 'a', held_by_me: true, holder: A },
      { filepath: 'b', held_by_me: false, holder: B },
      { filepath: 'c', held_by_me: false, holder: null },
    ]);
  });
});

describe('lock_release_all', () => {
  it('counts what it gave back', async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a', 'b');
    expect(await as(A).call('lock_release_all')).toEqual({ count: 2 });
    expect(await as(A).call('lock_release_all')).toEqual({ count: 0 });
    expect((await as(B).lockTry('a', 'b')).all_acquired).toBe(true);
  });
});

describe('paths in results and in the ledger', () => {
  it('path canonicalization in results matches what the deadlock search expects', async () => {
    const at = scratch({ files: { 'src/a.ts': '' } });
    const { as } = await serve(at);
    await as(A).lockTry(`${at.root}/src/../src/a.ts`);
    await as(B).lockTry('src/a.ts');
    const { edges } = at.guard('deadlock', '--json').json() as { edges: readonly object[] };
    expect(edges).toEqual([{ from: B, to: A, path: 'src/a.ts', kind: 'wanted', because: 'hold' }]);
  });

  it('relative paths begin where the agent is, as the hook says', async () => {
    const at = scratch({ files: { 'src/a.ts': '' } });
    const { as } = await serve(at);
    await as(A).call('lock_try', { filepaths: ['a.ts'], _cwd: at.path('src') });
    expect(at.guard('lock', 'status', 'src/a.ts', '--json').json()).toMatchObject({
      results: [{ holder: A }],
    });
  });

  it('they begin where the server is if nothing says where the agent is, and nowhere if that is no place', async () => {
    const at = scratch({ files: { 'a.ts': '', 'b.ts': '' } });
    const { as } = await serve(at);
    for (const _cwd of [null, ''])
      expect(await as(A).call('lock_try', { filepaths: ['a.ts'], _cwd })).toMatchObject({
        all_acquired: true,
      });
    for (const _cwd of [5, {}, ['src']])
      expect(await as(A).call('lock_try', { filepaths: ['b.ts'], _cwd })).toMatchObject({
        error: { code: 'GUARD_ERR_USAGE', facts: { field: '_cwd' } },
      });
    expect(at.guard('lock', 'status', '--json').json()).toMatchObject({ results: [{ filepath: 'a.ts' }] });
  });
});
