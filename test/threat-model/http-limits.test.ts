/** Excessive requests to `guard serve`, and places that another user took first. */
import { connect, type Socket } from 'node:net';
import fs from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Scratch } from '../claude/driver.ts';
import { send, serve, type Server } from '../http/server.ts';
import { until } from '../mcp/client.ts';
import { installed } from './installed.ts';

const isWell = async (server: Server): Promise<boolean> =>
  (await server.ask('GET', '/health')).status === 200;

function opened(path: string | number): Socket {
  const socket = typeof path === 'string' ? connect(path) : connect(path, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Milliseconds until the server ends a connection that began this way. */
function endOf(server: Server, begin: string): Promise<number> {
  const socket = opened(server.socket ?? '');
  const begun = performance.now();
  socket.write(begin);
  return new Promise((resolve) => socket.on('close', () => resolve(performance.now() - begun)));
}

/** How many of 300 connections the server ends: at least `at_least`, plus any that it ends shortly afterwards. */
async function endedOf(at: string | number, at_least: number): Promise<number> {
  let ended = 0;
  const sockets = Array.from({ length: 300 }, () => opened(at).on('close', () => (ended += 1)));
  await until(() => ended >= at_least, 9_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const told = ended;
  for (const socket of sockets) socket.destroy();
  return told;
}

describe('requests are huge, malformed, slow, or too many', () => {
  it('too much is refused, what is slow is cut off in its time, and the others go on', async () => {
    const server = await serve(installed());
    const head = 'POST /api/agents HTTP/1.1\r\nHost: x\r\n';
    const type = 'X-Agent-ID: go-1\r\nContent-Type: application/json\r\n';
    const slow = [endOf(server, head), endOf(server, `${head}${type}Content-Length: 20\r\n\r\n{`)];
    const post = (body: string) => server.ask('POST', '/api/reservations', { agent: 'go-1', body });
    const reason = (length: number) => JSON.stringify({ path_pattern: 'x', reason: 'x'.repeat(length) });
    expect((await post(reason(128 * 1024))).status).toBe(413);
    expect((await post('{"path_pattern":')).status).toBe(400);
    const long = { headers: { 'x-long': 'x'.repeat(8_192) } };
    expect((await send(server, 'GET', '/health', long)).status).toBe(431);
    const { port } = new URL(server.url ?? '');
    const half = Array.from({ length: 64 }, () => opened(Number(port)));
    half.forEach((socket) => socket.write('GET /health HTTP/1.1\r\n'));
    expect((await server.ask('GET', '/health', { tcp: true })).status).toBe(200);
    const begun = performance.now();
    await until(() => half.every(({ closed }) => closed), 9_000);
    expect(performance.now() - begun).toBeLessThan(4_500);
    // The two slow connections take two places.
    expect(await endedOf(server.socket ?? '', 300 - 254)).toBe(300 - 254);
    await until(() => isWell(server).catch(() => false), 4_000);
    const [headers = 0, whole = 0] = await Promise.all(slow);
    expect(headers).toBeGreaterThan(9_500);
    expect(headers).toBeLessThan(14_500);
    expect(whole).toBeGreaterThan(14_500);
    expect(await isWell(server)).toBe(true);
  });
});

/** The error of a start that is expected to fail. */
const refusedBy = (at: Scratch, ...args: readonly string[]): unknown =>
  (at.guard('serve', '--json', ...args).json() as { error: object }).error;

describe('a socket or token file is there before guard', () => {
  it('that others can read or change: refused, and left alone', () => {
    const at = installed();
    const token = at.put('../token', `${'s'.repeat(43)}\n`);
    fs.chmodSync(token, 0o644);
    const refused = { code: 'GUARD_ERR_LISTEN' };
    expect(refusedBy(at, '--port', '0', '--token-file', token)).toMatchObject(refused);
    fs.mkdirSync(`${at.home}/open`);
    fs.chmodSync(`${at.home}/open`, 0o777);
    expect(refusedBy(at, '--no-tcp', '--socket', `${at.home}/open/x.sock`)).toMatchObject(refused);
    const file = at.put('../file.sock', 'x');
    expect(refusedBy(at, '--no-tcp', '--socket', file)).toMatchObject(refused);
    expect(at.read(file)).toBe('x');
  });

  it.runIf(process.getuid?.() === 0)('of another user: refused', () => {
    const at = installed();
    const token = at.put('../token', `${'s'.repeat(43)}\n`);
    fs.chmodSync(token, 0o600);
    fs.chownSync(token, 12_345, 12_345);
    expect(refusedBy(at, '--port', '0', '--token-file', token)).toMatchObject({ code: 'GUARD_ERR_LISTEN' });
  });
});

describe('two servers meet', () => {
  it('at once, or later: one has the socket; what a dead one left is replaced', async () => {
    const at = installed();
    const starts = await Promise.all([serve(at, ['--no-tcp']), serve(at, ['--no-tcp'])]);
    // The other one printed an error instead of its address.
    const [first, ...more] = starts.filter((server) => 'socket' in server);
    if (first === undefined) throw new Error('no server started');
    expect(more).toEqual([]);
    expect(refusedBy(at, '--no-tcp')).toMatchObject({ code: 'GUARD_ERR_LISTEN' });
    expect(await isWell(first)).toBe(true);
    first.signal('SIGKILL');
    await first.ended;
    expect(fs.existsSync(first.socket ?? '')).toBe(true);
    expect(await isWell(await serve(at, ['--no-tcp']))).toBe(true);
  });
});
