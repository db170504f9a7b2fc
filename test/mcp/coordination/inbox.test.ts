/** The inbox over MCP: unread messages first, an error for a wrong cursor, and an agent that looks is reachable. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../../claude/driver.ts';
import { serve, type Server } from '../client.ts';

const [A, B] = ['claude-a', 'claude-b'] as const;

async function call({ client, seal }: Server, agent: string, name: string, input: object = {}) {
  const result = await client.callTool({ name, arguments: { ...input, _agent: seal(agent, name) } });
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  const json = /^[[{]/.test(text) ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { isError: result.isError === true, text, json };
}

const bodies = ({ json }: { readonly json: Record<string, unknown> }): string[] =>
  (json['messages'] as { body: string }[]).map(({ body }) => body);

describe('fetch_inbox', () => {
  it('shows what is unread first, then the newest, and all of it on request', async () => {
    const server = await serve(scratch());
    await call(server, A, 'list_agents');
    for (const body of ['one', 'two']) await call(server, B, 'send_message', { to: A, body });
    expect((await call(server, A, 'fetch_inbox')).json).toMatchObject({ unread: 2, has_more: false });
    await call(server, B, 'send_message', { to: A, body: 'three' });
    const fresh = await call(server, A, 'fetch_inbox');
    expect([bodies(fresh), fresh.json['unread']]).toEqual([['three'], 1]);
    const newest = await call(server, A, 'fetch_inbox', { cursor: null });
    expect([bodies(newest), newest.json['unread']]).toEqual([['one', 'two', 'three'], 0]);
    expect(bodies(await call(server, A, 'fetch_inbox', { include_read: true }))).toHaveLength(3);
    expect(bodies(await call(server, A, 'fetch_inbox', { cursor: fresh.json['next_cursor'] }))).toEqual([]);
  });

  it.each([
    ['garbage', 'GUARD_ERR_CURSOR'],
    ['m-1', 'GUARD_ERR_CURSOR'],
    [5, 'GUARD_ERR_USAGE'],
  ])('with the cursor %j is an error that says so', async (cursor, code) => {
    const server = await serve(scratch());
    await call(server, A, 'list_agents');
    const told = await call(server, A, 'fetch_inbox', { cursor });
    expect(told.isError).toBe(true);
    expect(told.json).toMatchObject({ error: { code } });
  });

  it('with a cursor of somebody else’s inbox is one too', async () => {
    const server = await serve(scratch());
    await call(server, A, 'list_agents');
    await call(server, B, 'send_message', { to: A, body: 'one' });
    const { json } = await call(server, A, 'fetch_inbox');
    expect((await call(server, B, 'fetch_inbox', { cursor: json['next_cursor'] })).isError).toBe(true);
  });
});

describe('list_agents', () => {
  it('lists its caller, who can be written to from then on', async () => {
    const server = await serve(scratch());
    const { json } = await call(server, A, 'list_agents');
    expect(json).toMatchObject([{ agent_id: A }]);
    expect((await call(server, B, 'send_message', { to: A, body: 'hello' })).json).toMatchObject({
      sent: true,
    });
  });
});

describe('respond_to_release', () => {
  it('about another file, or said again, does nothing and tells nobody', async () => {
    const server = await serve(scratch());
    await server.as(A).lockTry('x', 'y');
    const asked = await call(server, B, 'negotiate_release', { agent_name: A, file: 'x', reason: 'r' });
    const respond = (file: string, action = 'release') =>
      call(server, A, 'respond_to_release', {
        thread_id: asked.json['thread_id'],
        requester: B,
        action,
        file,
        eta_minutes: 5,
      });
    expect((await respond('y')).isError).toBe(true);
    expect((await respond('x')).json).toMatchObject({ released: 1, released_files: ['x'] });
    expect((await respond('x')).json).toMatchObject({ released: 0, settled: true });
    expect((await respond('x', 'defer')).isError).toBe(true);
    const acks = bodies(await call(server, B, 'fetch_inbox')).filter((body) => body.includes('release-ack'));
    expect(acks).toHaveLength(1);
  });

  it('answers everybody who waits for the same from the same', async () => {
    const server = await serve(scratch());
    await server.as(A).lockTry('x');
    await call(server, B, 'list_agents');
    const ask = { agent_name: A, file: 'x', reason: 'r' };
    const first = await call(server, B, 'negotiate_release', ask);
    const second = call(server, B, 'negotiate_release', { ...ask, wait_seconds: 20 });
    await call(server, A, 'respond_to_release', {
      thread_id: first.json['thread_id'],
      requester: B,
      action: 'release',
      file: 'x',
    });
    expect((await second).json).toMatchObject({ status: 'released' });
  });
});

describe('release_files', () => {
  it('says which ids are none', async () => {
    const server = await serve(scratch());
    const { json } = await call(server, A, 'release_files', { reservation_ids: ['garbage'] });
    expect(json).toMatchObject({ released: [], errors: [{ id: 'garbage' }] });
  });
});
