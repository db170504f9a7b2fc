/** What a waiting requester is told when another agent claims that its file is free. */
import { expect, it } from 'vitest';
import { scratch } from '../../claude/driver.ts';
import { serve, until } from '../client.ts';

const A = 'claude-a';
const B = 'claude-b';

it('a wait for a release is not over because somebody says so', async () => {
  const server = await serve(scratch());
  const call = async (agent: string, name: string, input: object = {}) => {
    const told = await server.client.callTool({
      name,
      arguments: { ...input, _agent: server.seal(agent, name) },
    });
    return { isError: told.isError === true, text: (told.content as { text: string }[])[0]?.text ?? '' };
  };
  await server.as(A).lockTry('x');
  await call(B, 'fetch_inbox');
  const ask = { agent_name: A, file: 'x', reason: 'need it', wait_seconds: 3 };
  const waits = call(B, 'negotiate_release', ask);
  const messages = async () =>
    (JSON.parse((await call(A, 'fetch_inbox')).text) as { messages: { thread_id: string }[] }).messages;
  await until(async () => (await messages()).length === 1);
  const thread_id = (await messages())[0]?.thread_id;
  const body = JSON.stringify({ type: 'release-ack', released: true, released_by: A });
  expect((await call('claude-c', 'send_message', { to: B, thread_id, body })).isError).toBe(false);
  expect(await call(A, 'send_message', { to: B, thread_id, body })).toMatchObject({
    isError: true,
    text: expect.stringContaining('you still hold it') as string,
  });
  expect(JSON.parse((await waits).text)).toMatchObject({ status: 'timeout' });
});

it('a thread or topic that a model leaves empty is none', async () => {
  const { client, seal } = await serve(scratch());
  const send = async (): Promise<{ message_id: string; thread_id: string }> => {
    const empty = { subject: '', thread_id: '', topic: '', importance: '' };
    const input = { to: A, body: 'hello', ...empty, _agent: seal(A, 'send_message') };
    const told = await client.callTool({ name: 'send_message', arguments: input });
    return JSON.parse((told.content as { text: string }[])[0]?.text ?? '') as never;
  };
  await client.callTool({ name: 'fetch_inbox', arguments: { _agent: seal(A, 'fetch_inbox') } });
  const sent = await send();
  expect(sent.thread_id).toBe(sent.message_id);
  expect((await send()).thread_id).not.toBe(sent.thread_id);
});
