/** Clients that send slowly, never, or all together: the server's own code, with limits short enough for a test. */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { servedProject } from '../../src/cli/served.ts';
import { processShell } from '../../src/cli/shell.ts';
import { CONNECTION_LIMITS, type Limits } from '../../src/http/listen.ts';
import { serveHttp } from '../../src/http/serve.ts';
import { scratch } from '../claude/driver.ts';

async function opened(limits: Partial<Limits>) {
  const at = scratch();
  const served = servedProject(
    { ...processShell([]), cwd: at.root, env: at.env },
    { version: '1', document: {}, sessionsToo: false },
  );
  const tcp = { host: '127.0.0.1', port: 0, token: null };
  const serving = await serveHttp(
    served,
    { tcp, socket: null },
    { ...CONNECTION_LIMITS, grace_ms: 100, ...limits },
  );
  onTestFinished(() => serving.end());
  const port = Number(new URL(serving.url ?? '').port);
  return { port, host: `127.0.0.1:${port}` };
}

/** What the server sent before it closed the connection. */
function closed(socket: Socket): Promise<{ readonly text: string; readonly took_ms: number }> {
  const begun = performance.now();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) =>
    socket.on('close', () =>
      resolve({ text: Buffer.concat(chunks).toString('latin1'), took_ms: performance.now() - begun }),
    ),
  );
}

describe('a connection', () => {
  it.each([
    ['never sends anything', ''],
    ['sends its headers one by one', 'GET /health HTTP/1.1\r\nHost: x\r\n'],
    [
      'sends less than it promised',
      'POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
    ],
  ])('that %s is ended', async (_, begin) => {
    const { port } = await opened({ headers_ms: 300, request_ms: 400 });
    const socket = connect(port, '127.0.0.1');
    socket.write(begin);
    const drip = setInterval(() => socket.writable && socket.write(begin === '' ? '' : 'X'), 60);
    const { took_ms } = await closed(socket);
    clearInterval(drip);
    expect(took_ms).toBeGreaterThan(100);
    expect(took_ms).toBeLessThan(5_000);
  });

  it('that idles between requests is ended', async () => {
    const { port, host } = await opened({ idle_ms: 100 });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const { text } = await closed(socket);
    expect(text).toContain('200 OK');
  });

  it('beyond the most is not taken', async () => {
    const { port, host } = await opened({ connections: 2 });
    const [first, second] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    onTestFinished(() => [first, second].forEach((socket) => socket.destroy()));
    await Promise.all(
      [first, second].map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
    );
    expect((await closed(connect(port, '127.0.0.1'))).text).toBe('');
    const answered = new Promise<Buffer>((resolve) => first.once('data', resolve));
    first.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect((await answered).toString('latin1')).toContain('200 OK');
  });

  it('that speaks no HTTP is told so and ended', async () => {
    const { port } = await opened({});
    const socket = connect(port, '127.0.0.1');
    socket.write('\x16\x03\x01 hello\r\n\r\n');
    expect((await closed(socket)).text).toContain('400 Bad Request');
  });
});
