/** The eleven tools on the real server: parameters, response shapes, errors, signals. */
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD, scratch } from '../../claude/driver.ts';
import { serve, type Server, signatureOf, until } from '../client.ts';

const A = 'claude-a';
const B = 'claude-b';

interface Said {
  readonly isError: boolean;
  readonly text: string;
  readonly json: unknown;
}

async function call(
  { client, seal }: Server,
  agent: string,
  name: string,
  input: object = {},
): Promise<Said> {
  const result = await client.callTool({ name, arguments: { ...input, _agent: seal(agent, name) } });
  const [content] = result.content as { text: string }[];
  const text = content?.text ?? '';
  return {
    isError: result.isError === true,
    text,
    json: /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : null,
  };
}

const reserve = (server: Server, agent: string, ...patterns: string[]) =>
  call(server, agent, 'reserve_files', { patterns, reason: 'work' });

describe('reservations', () => {
  it('are made, listed, checked and released in the shapes of the tools', async () => {
    const at = scratch();
    const server = await serve(at);
    const made = (await reserve(server, A, 'src/**', '../out')).json as {
      reservations: { id: string }[];
      errors: string[];
    };
    const [{ id } = { id: '' }] = made.reservations;
    expect(made.reservations).toMatchObject([
      {
        agent_id: A,
        project: basename(at.root),
        path_pattern: 'src/**',
        exclusive: true,
        reason: 'work',
        is_active: true,
      },
    ]);
    expect(id).toMatch(/^r-\d+$/);
    expect(made.errors).toHaveLength(1);
    expect((await call(server, A, 'my_reservations')).json).toMatchObject([{ id }]);
    expect((await call(server, B, 'my_reservations')).json).toEqual([]);
    const checked = (await call(server, B, 'check_conflicts', { patterns: ['src/x', 'docs/*'] })).json;
    expect(checked).toMatchObject({
      conflicts: [{ reservation_id: id, agent_id: A, held_by: A, pattern: 'src/**', reason: 'work' }],
      clear: ['docs/*'],
    });
    expect((await reserve(server, B, 'src/*.ts')).json).toMatchObject({
      reservations: [],
      errors: [expect.stringContaining(A)],
    });
    const released = await call(server, B, 'release_files', { reservation_ids: [id, 'r-1', 'r-99999999'] });
    const errors = [{ id }, { id: 'r-99999999', code: 'UNKNOWN' }];
    expect(released.json).toMatchObject({ released: ['r-1'], errors });
    expect((await call(server, A, 'release_files', { reservation_ids: [id] })).json).toEqual({
      released: [id],
      errors: [],
    });
    await reserve(server, A, 'a', 'b');
    expect((await call(server, A, 'release_all')).json).toEqual({ released_count: 2 });
  });

  it('keep others from locks, and cost their holder none', async () => {
    const server = await serve(scratch());
    await reserve(server, A, 'src/**');
    expect((await server.as(B).lockTry('src/x')).results[0]).toMatchObject({ acquired: false, holder: A });
    expect((await server.as(A).lockTry('src/x')).all_acquired).toBe(true);
  });
});

describe('what a call lacks', () => {
  it.each([
    ['reserve_files', {}, 'patterns', 'patterns is required.'],
    ['reserve_files', { patterns: 'src' }, 'patterns', 'patterns must be a list, not "src".'],
    ['reserve_files', { patterns: ['a'] }, 'reason', 'reason is required.'],
    ['release_files', {}, 'reservation_ids', 'reservation_ids is required.'],
    ['send_message', { body: 'x' }, 'to', 'No recipient: name agents ("*" for all of them) or a topic.'],
    ['send_message', { to: 'x' }, 'body', 'body is required.'],
    ['request_release', {}, 'agent_name', 'agent_name is required.'],
    ['negotiate_release', {}, 'agent_name', 'agent_name is required.'],
    ['negotiate_release', { agent_name: A }, 'file', 'file is required.'],
    ['respond_to_release', {}, 'thread_id', 'thread_id is required.'],
    [
      'respond_to_release',
      { thread_id: 't', requester: A, action: 'maybe' },
      'action',
      'action must be one of release, defer, not "maybe".',
    ],
  ])('%s %j: %s', async (name, input, field, message) => {
    const { isError, json } = await call(await serve(scratch()), A, name, input);
    expect(isError).toBe(true);
    expect(json).toMatchObject({ error: { code: 'GUARD_ERR_USAGE', message, facts: { field } } });
  });

  it('is said in the schemas too', async () => {
    const { client } = await serve(scratch());
    const { tools } = await client.listTools();
    const required = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.required;
    expect(required('reserve_files')).toEqual(['patterns', 'reason']);
    expect(required('negotiate_release')).toEqual(['agent_name', 'file', 'reason']);
    expect(required('fetch_inbox') ?? []).toEqual([]);
    expect(tools).toHaveLength(16);
  });
});

describe('messages', () => {
  it('go by id or name, are paged by a cursor, and emit a signal', async () => {
    const server = await serve(scratch());
    const heard: unknown[] = [];
    server.client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void heard.push(params.data),
    );
    await call(server, A, 'fetch_inbox');
    const agents = (await call(server, B, 'list_agents')).json as {
      agent_id: string;
      name: string;
      status: string;
    }[];
    const named = agents.find(({ agent_id }) => agent_id === A);
    expect(named).toMatchObject({ status: 'active', capabilities: [] });
    const sent = await call(server, B, 'send_message', { to: named?.name, body: 'hello' });
    expect(sent.json).toMatchObject({ sent: true, to: named?.name });
    const inbox = (await call(server, A, 'fetch_inbox')).json as { messages: object[]; next_cursor: string };
    expect(inbox.messages).toMatchObject([
      { from: B, to: [A], body: 'hello', importance: 'normal', ack_required: false },
    ]);
    expect((await call(server, A, 'fetch_inbox', { cursor: inbox.next_cursor })).json).toMatchObject({
      messages: [],
      next_cursor: inbox.next_cursor,
    });
    await until(() => heard.length > 0);
    expect(heard).toContainEqual({ event: 'message', text: `${B} wrote to ${named?.name ?? ''}` });
    expect(await call(server, A, 'send_message', { to: 'nobody', body: 'x' })).toMatchObject({
      isError: true,
    });
  });
});

describe('a signal', () => {
  it('that nobody can hear any more does not undo what it tells', async () => {
    const at = scratch();
    const child = spawn(process.execPath, [GUARD, 'mcp'], { cwd: at.root, env: at.env, stdio: 'pipe' });
    const exited = once(child, 'exit');
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    say({ id: 1, method: 'initialize', params });
    await once(child.stdout, 'data');
    // From here on, the server cannot reach the client.
    child.stdout.destroy();
    say({ method: 'notifications/initialized' });
    const input = { patterns: ['src/**'], reason: 'work', _agent: signatureOf(at, A, 'reserve_files') };
    say({ id: 2, method: 'tools/call', params: { name: 'reserve_files', arguments: input } });
    await until(() => at.log('hold').length > 0);
    child.stdin.end();
    await exited;
    expect(at.guard('reservations', '--json').json()).toMatchObject({
      reservations: [{ agent_id: A, path_pattern: 'src/**' }],
    });
    expect(at.guard('verify').exit).toBe(0);
  });
});

describe('negotiation', () => {
  it('without a wait is pending; a release says what ended, and the waiter is woken by it', async () => {
    const server = await serve(scratch());
    await reserve(server, A, 'src/**');
    await call(server, B, 'fetch_inbox');
    const ask = { agent_name: A, file: 'src/x', reason: 'need it' };
    expect((await call(server, B, 'negotiate_release', ask)).json).toMatchObject({
      status: 'pending',
      to: A,
      urgency: 'normal',
    });
    const begun = performance.now();
    const waits = call(server, B, 'negotiate_release', { ...ask, urgency: 'urgent', wait_seconds: 20 });
    const threads = async () =>
      ((await call(server, A, 'fetch_inbox')).json as { messages: { thread_id: string; body: string }[] })
        .messages;
    await until(async () => (await threads()).length === 2);
    const thread_id = (await threads())[1]?.thread_id;
    const respond = { thread_id, requester: B, file: 'src/x' };
    expect(
      (await call(server, A, 'respond_to_release', { ...respond, action: 'release' })).json,
    ).toMatchObject({
      action: 'release',
      thread_id,
      file: 'src/x',
      released: 1,
      released_reservations: [{ pattern: 'src/**' }],
    });
    expect((await waits).json).toMatchObject({ status: 'released', thread_id, released_by: A });
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect((await server.as(B).lockTry('src/x')).all_acquired).toBe(true);
  });

  it('is deferred with a time, or runs out', async () => {
    const server = await serve(scratch());
    await server.as(A).lockTry('x');
    await call(server, B, 'fetch_inbox');
    const ask = { agent_name: A, file: 'x', reason: 'need it' };
    expect((await call(server, B, 'negotiate_release', { ...ask, wait_seconds: 1 })).json).toMatchObject({
      status: 'timeout',
      waited: 1,
    });
    const waits = call(server, B, 'negotiate_release', { ...ask, wait_seconds: 20 });
    const messages = async () =>
      ((await call(server, A, 'fetch_inbox')).json as { messages: { thread_id: string }[] }).messages;
    await until(async () => (await messages()).length === 2);
    const thread_id = (await messages())[1]?.thread_id;
    const deferred = { action: 'defer', file: 'x', eta_minutes: 99, reason: 'tests' };
    expect(
      (await call(server, A, 'respond_to_release', { thread_id, requester: B, ...deferred })).json,
    ).toEqual({
      ...deferred,
      thread_id,
      eta_minutes: 60,
      notes: ['eta_minutes: 60 is the most, so it is 60.'],
    });
    expect((await waits).json).toEqual({ status: 'deferred', thread_id, eta_minutes: 60, reason: 'tests' });
  });

  it('with an agent that holds nothing there is an error', async () => {
    const server = await serve(scratch());
    await call(server, A, 'fetch_inbox');
    const asked = await call(server, B, 'negotiate_release', { agent_name: A, file: 'x', reason: 'r' });
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining('holds nothing') as string });
  });

  it('in its old form is a message with its old body', async () => {
    const server = await serve(scratch());
    await call(server, A, 'fetch_inbox');
    const asked = await call(server, B, 'request_release', { agent_name: A, pattern: 'src/*', reason: 'r' });
    expect(asked.json).toEqual({ sent: true, to: A, type: 'release-request' });
    const { messages } = (await call(server, A, 'fetch_inbox')).json as { messages: { body: string }[] };
    expect(JSON.parse(messages[0]?.body ?? '')).toEqual({
      type: 'release-request',
      pattern: 'src/*',
      reason: 'r',
      requester: B,
    });
  });
});
