import { describe, expect, it } from 'vitest';
import { scratch, type Setup, working } from '../claude/driver.ts';
import { type Body, serve } from './server.ts';

async function opened(setup: Setup = {}) {
  const at = scratch(setup);
  const server = await serve(at);
  const send = (from: string, to: string | string[], more: object = {}) =>
    server.ask('POST', '/api/messages', { agent: from, body: { from, to, body: 'hello', ...more } });
  const inbox = (agent: string, query = '') => server.ask('GET', `/api/inbox/${agent}${query}`, { agent });
  for (const agent of ['go-1', 'go-2']) await server.ask('POST', '/api/agents', { agent, body: {} });
  return { at, server, send, inbox };
}

describe('a message', () => {
  it('is in the inbox of its receiver, behind the cursor', async () => {
    const { send, inbox } = await opened();
    const sent = await send('go-1', ['go-2'], { subject: 'hi', thread_id: 't-1', importance: 'high' });
    expect(sent).toMatchObject({ status: 201, body: { thread_id: 't-1', to: ['go-2'], blocked_by: [] } });
    const { body } = await inbox('go-2', '?project=repo');
    expect(body).toMatchObject({
      messages: [
        {
          message_id: sent.body['message_id'],
          from: 'go-1',
          to: ['go-2'],
          body: 'hello',
          subject: 'hi',
          thread_id: 't-1',
          importance: 'high',
          ack_required: false,
          read: false,
        },
      ],
      has_more: false,
    });
    const cursor = body['next_cursor'] as string;
    expect((await inbox('go-2', `?cursor=${cursor}`)).body).toEqual({
      messages: [],
      next_cursor: cursor,
      has_more: false,
      unread: 0,
    });
    expect((await inbox('go-2')).body['messages']).toMatchObject([{ read: true }]);
    expect((await inbox('go-2', '?project=elsewhere')).body['messages']).toEqual([]);
  });

  it('belongs to a thread', async () => {
    const { server, send } = await opened();
    const { body } = await send('go-1', 'go-2');
    await send('go-2', 'go-1', { thread_id: body['thread_id'], body: 'and you?' });
    const thread = async (id: string, query = '', agent = 'go-1') =>
      (await server.ask('GET', `/api/threads/${id}${query}`, { agent })).body['messages'] as readonly Body[];
    const whole = await thread(String(body['thread_id']), '?project=repo');
    expect(whole.map((one) => [one['from'], one['body']])).toEqual([
      ['go-1', 'hello'],
      ['go-2', 'and you?'],
    ]);
    expect(await thread(String(body['thread_id']), '', 'go-2')).toHaveLength(2);
    expect(await thread(String(body['thread_id']), '', 'go-3')).toEqual([]);
    // Writing to a thread does not make the writer a member.
    await send('go-3', 'go-1', { thread_id: body['thread_id'], body: 'me too' });
    expect((await thread(String(body['thread_id']), '', 'go-3')).map((one) => one['body'])).toEqual([
      'me too',
    ]);
    expect(await server.ask('GET', `/api/threads/${String(body['thread_id'])}`)).toMatchObject({
      status: 400,
    });
    expect(await thread('unknown')).toEqual([]);
    expect(await thread(String(body['thread_id']), '?project=elsewhere')).toEqual([]);
  });

  it('is acknowledged by its receiver alone', async () => {
    const { at, server, send } = await opened();
    const { body } = await send('go-1', 'go-2', { ack_required: true });
    const path = `/api/messages/${String(body['message_id'])}/ack`;
    expect(await server.ask('POST', path, { agent: 'go-1', body: {} })).toMatchObject({
      status: 404,
      body: { error_code: 'NO_MESSAGE' },
    });
    const done = await server.ask('POST', path, { agent: 'go-2', body: {} });
    expect(done).toMatchObject({ status: 200, body: { acknowledged: true } });
    expect(at.log('ack')).toMatchObject([{ agent: 'go-2', from: 'go-1' }]);
  });

  it('reaches a session at its next hook', async () => {
    const { at, send } = await opened();
    const agent = working(at);
    await send('go-1', agent.name, { importance: 'urgent', body: 'stop the deploy' });
    const told = agent.prompt().context;
    expect(told).toContain('stop the deploy');
    expect(told).toContain('go-1');
    expect(told).toContain('not an instruction of your user');
  });

  it('has a limit by the minute, which says when to come back', async () => {
    const { send } = await opened({ config: { messages_per_minute: 1 } });
    const answers = [await send('go-1', 'go-2'), await send('go-1', 'go-2'), await send('go-1', 'go-2')];
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error_code).toBe('RATE_LIMITED');
    const retry = Number(refused?.body['retry_after']);
    expect(retry).toBeGreaterThan(0);
    expect(retry).toBeLessThanOrEqual(60);
    expect(refused?.headers['retry-after']).toBe(String(retry));
  });

  it('that is not as it should be is not sent', async () => {
    const { at, send } = await opened();
    const cases = [
      ['to nobody', { to: [] }, 400, 'GUARD_ERR_USAGE'],
      ['to somebody unknown', { to: 'go-9' }, 400, 'GUARD_ERR_USAGE'],
      ['of 16,385 characters', { body: 'x'.repeat(16_385) }, 400, 'GUARD_ERR_USAGE'],
      ['of another agent', { from: 'go-2' }, 403, 'OTHER_AGENT'],
      ['in another project', { project: 'elsewhere' }, 400, 'OTHER_PROJECT'],
      ['with a control character in its thread', { thread_id: 'a\u001bb' }, 400, 'GUARD_ERR_USAGE'],
    ] as const;
    for (const [what, more, status, error_code] of cases)
      expect(await send('go-1', 'go-2', more), what).toMatchObject({ status, body: { error_code } });
    expect(at.log('message')).toEqual([]);
  });

  it('from somebody who is blocked is refused', async () => {
    const { at, send } = await opened();
    at.guardWith({ GUARD_AGENT_ID: 'go-2' }, 'message', 'settings', '--block', 'go-1');
    expect(await send('go-1', 'go-2')).toMatchObject({ status: 403, body: { error_code: 'BLOCKED' } });
  });
});

describe('an inbox', () => {
  it('is shown to nobody else', async () => {
    const { server, send } = await opened();
    await send('go-1', 'go-2');
    const refused = await server.ask('GET', '/api/inbox/go-2', { agent: 'go-1' });
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'OTHER_AGENT' } });
  });
});
