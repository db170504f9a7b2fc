/** Local users without the token: their half-open requests take nothing from users who have it. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitStrangers } from '../../src/http/strangers.ts';
import { scratch } from '../claude/driver.ts';
import { serve, type Server } from './server.ts';

interface Opened {
  readonly server: Server;
  readonly port: number;
  readonly token: string;
}

async function opened(): Promise<Opened> {
  const server = await serve(scratch());
  const token = readFileSync(server.token_file ?? '', 'utf8').trim();
  return { server, port: Number(new URL(server.url ?? '').port), token };
}

/** Opens `count` requests without a token that never end. */
async function halfSent({ port }: Opened, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('error', () => resolve());
          socket.once('connect', () => socket.write('GET /health HTTP/1.1\r\nHost: x\r\n', () => resolve()));
        }),
    ),
  );
  return sockets;
}

async function timed(server: Server, headers: Record<string, string> = {}) {
  const begun = performance.now();
  const { status } = await server.ask('GET', '/health', { tcp: true, headers });
  return { status, took_ms: performance.now() - begun };
}

const closed = (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
};

/** Sends the text in `parts` parts, with a pause of `pause_ms` after each. */
async function slowly(socket: Socket, text: string, parts: number, pause_ms: number): Promise<void> {
  const length = Math.ceil(text.length / parts);
  for (let at = 0; at < text.length; at += length) {
    socket.write(text.slice(at, at + length));
    await sleep(pause_ms);
  }
}

describe('connections without the token', () => {
  it('that are 300 half-sent requests leave TCP open for whoever has it, again and again', async () => {
    const at = await opened();
    for (let round = 0; round < 3; round++) {
      await halfSent(at, 300);
      const { status, took_ms } = await timed(at.server);
      expect(status).toBe(200);
      expect(took_ms).toBeLessThan(1_000);
      expect((await at.server.ask('GET', '/health')).status).toBe(200);
    }
  });

  it('are cut off soon, though they go on sending', async () => {
    const at = await opened();
    const [socket] = await halfSent(at, 1);
    if (socket === undefined) throw new Error('no connection');
    const begun = performance.now();
    const drip = setInterval(() => socket.writable && socket.write('X: y\r\n'), 100);
    await closed(socket);
    clearInterval(drip);
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    expect(performance.now() - begun).toBeLessThan(6_000);
  });

  it('are told so, and cannot keep their place by asking again', async () => {
    const at = await opened();
    const [socket] = await halfSent(at, 1);
    if (socket === undefined) throw new Error('no connection');
    const again = setInterval(
      () => socket.writable && socket.write('\r\nGET /health HTTP/1.1\r\nHost: x\r\n'),
      200,
    );
    const text = await closed(socket);
    clearInterval(again);
    expect(text).toMatch(/ 40[13] /);
  });
});

describe('connections with the token', () => {
  it('fifty that send their headers slowly are all served', async () => {
    const { port, token } = await opened();
    const asked = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(port, '127.0.0.1');
        const text = closed(socket);
        await slowly(socket, asked, 4, 200);
        return text;
      }),
    );
    expect(answers.filter((text) => text.startsWith('HTTP/1.1 200 '))).toHaveLength(50);
  });

  it('are kept for the next request beyond the time of a stranger, whatever others leave half open', async () => {
    const at = await opened();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = (): Promise<{ readonly status: number | undefined; readonly reused: boolean }> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${at.token}` };
        const sent = request(
          { host: '127.0.0.1', port: at.port, path: '/health', agent, headers },
          (response) => {
            response.resume();
            response.on('end', () => resolve({ status: response.statusCode, reused: sent.reusedSocket }));
          },
        );
        sent.on('error', reject);
        sent.end();
      });
    expect(await ask()).toEqual({ status: 200, reused: false });
    await halfSent(at, 300);
    await sleep(2_500);
    expect(await ask()).toEqual({ status: 200, reused: true });
  });
});

describe('a server that is busy for longer than a stranger has', () => {
  it('answers what was sent meanwhile, and still ends a connection that sends nothing', async () => {
    const server = createServer((_, answer) => answer.end('here'));
    limitStrangers(server, () => false, { connections: 4, strangers: 4, stranger_ms: 100 });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(server, 'connection');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const end_ms = performance.now() + 500; performance.now() < end_ms;);
    expect(await closed(socket)).toMatch(/^HTTP\/1\.1 200 [^]*here/);
  });
});
