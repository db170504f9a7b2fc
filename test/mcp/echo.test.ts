/** The harness server without any client library: requests on standard input, answers on standard output. */
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { GUARD } from '../claude/driver.ts';
import { harness, type Harness } from '../harness/harness.ts';

interface Message {
  readonly id: number;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Sends JSON-RPC requests, one per line; resolves with the answer of the same id. */
function speak(at: Harness) {
  const server = spawn(process.execPath, [GUARD, 'mcp', '--tools', 'harness'], {
    cwd: at.at.root,
    env: { ...at.at.env, ...at.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  const waiting = new Map<number, (message: Message) => void>();
  let rest = '';
  server.stdout.on('data', (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      waiting.get(message.id)?.(message);
    }
  });
  const send = (message: object): void =>
    void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  return {
    send,
    ask: (method: string, params: object = {}) =>
      new Promise<Message['result']>((resolve) => {
        id += 1;
        waiting.set(id, ({ result }) => resolve(result));
        send({ id, method, params });
      }),
    exit: new Promise((resolve) => server.on('exit', resolve)),
    end: () => server.stdin.end(),
  };
}

const textOf = (result: Message['result']): string =>
  (result['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';

it('a message given to an agent is what the agent says, over bare lines of JSON', async () => {
  const server = speak(harness());
  const hello = await server.ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  expect(hello).toMatchObject({ serverInfo: { name: 'guard-harness' } });
  server.send({ method: 'notifications/initialized' });
  expect(await server.ask('ping')).toEqual({});
  const call = { role: 'dev', prompt: 'result echo: hello', taskSlug: 'echo' };
  const drafted = await server.ask('tools/call', { name: 'draft_agent', arguments: call });
  const { agentId, ...others } = JSON.parse(textOf(drafted)) as Record<string, string>;
  expect(others).toMatchObject({ role: 'dev', taskSlug: 'echo' });
  const told = await server.ask('tools/call', { name: 'await_agent', arguments: { agentId } });
  expect(JSON.parse(textOf(told))).toMatchObject({ status: 'completed', message: 'echo: hello' });
  server.end();
  expect(await server.exit).toBe(0);
});
