/** Requests that the server refuses, over TCP and over the socket. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { type Ask, send, serve } from './server.ts';

async function opened(args: readonly string[] = []) {
  const at = scratch();
  const server = await serve(at, args);
  const port = new URL(server.url ?? '').port;
  const tcp = (headers: Record<string, string>, path = '/api/reservations') =>
    server.ask('GET', path, { tcp: true, headers });
  return { at, server, port, tcp };
}

describe('the token', () => {
  it('is 256 random bits that only the user can read, and stays the same', async () => {
    const { at, server } = await opened();
    const token = readFileSync(server.token_file ?? '', 'utf8').trim();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(statSync(server.token_file ?? '').mode & 0o777).toBe(0o600);
    const again = await serve(at, ['--no-socket']);
    expect(readFileSync(again.token_file ?? '', 'utf8').trim()).toBe(token);
  });

  it('that is missing or wrong is 401 on TCP, whatever was asked', async () => {
    const { tcp } = await opened();
    const another = `Bearer ${randomBytes(32).toString('base64url')}`;
    for (const authorization of ['', another, 'Bearer x', 'Bearer', 'Basic Zm9vOmJhcg=='])
      for (const path of ['/api/reservations', '/openapi.json', '/health', '/nothing']) {
        const refused = await tcp({ authorization }, path);
        expect(refused).toMatchObject({ status: 401, body: { error_code: 'UNAUTHORIZED', code: 401 } });
        expect(refused.headers['www-authenticate']).toBe('Bearer');
      }
  });

  it('is not asked for on the socket, nor with --no-token', async () => {
    const { server } = await opened(['--no-token']);
    expect(server.token_file).toBe(null);
    expect((await server.ask('GET', '/health', { tcp: true })).status).toBe(200);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it('may be in a file of the user, who must keep it to themselves', () => {
    const at = scratch();
    at.put('../token', `${'s'.repeat(40)}\n`);
    const open = at.guard('serve', '--port', '0', '--token-file', '../token', '--json');
    expect(open.exit).toBe(2);
    expect(open.json()).toMatchObject({ error: { code: 'GUARD_ERR_LISTEN' } });
    expect(open.stderr).toContain('can be read by others');
  });
});

describe('a web page', () => {
  it('is told by what browsers send, and refused on both ways in', async () => {
    const { server } = await opened(['--no-token']);
    const signs = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: server.url ?? '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of signs)
      for (const tcp of [true, false])
        expect(await server.ask('GET', '/api/reservations', { tcp, headers })).toMatchObject({
          status: 403,
          body: { error_code: 'FORBIDDEN_ORIGIN' },
        });
  });

  it('gets no permission from a preflight, and no answer has a header for it', async () => {
    const { server } = await opened(['--no-token']);
    const ask: Ask = { tcp: true, headers: { origin: 'https://evil.example' } };
    const answers = [
      await server.ask('OPTIONS', '/api/reservations', ask),
      await server.ask('OPTIONS', '/api/reservations', { tcp: true }),
      await server.ask('GET', '/api/reservations', { tcp: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 405, 200]);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('that gave its own name our address is told by Host', async () => {
    const { port, tcp } = await opened(['--no-token']);
    for (const host of [`evil.example:${port}`, '127.0.0.1', 'localhost:1'])
      expect(await tcp({ host }), host).toMatchObject({
        status: 403,
        body: { error_code: 'FORBIDDEN_HOST' },
      });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await tcp({ host })).status, host).toBe(200);
  });
});

describe('a request line with a host of its own', () => {
  it('counts as Host does', async () => {
    const { port, tcp } = await opened(['--no-token']);
    for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1:1'])
      expect(await tcp({ host: `127.0.0.1:${port}` }, `http://${host}/api/reservations`)).toMatchObject({
        status: 403,
        body: { error_code: 'FORBIDDEN_HOST' },
      });
    const own = await tcp({ host: `127.0.0.1:${port}` }, `http://127.0.0.1:${port}/api/reservations`);
    expect(own.status).toBe(200);
  });
});

describe('a question that names two patterns, agents or projects', () => {
  it.each([
    '/api/reservations/check?pattern=src/x&pattern=lib/x',
    '/api/reservations?agent=go-1&agent=go-2',
    '/api/agents?project=repo&project=elsewhere',
  ])('is refused: %s', async (path) => {
    const { server } = await opened();
    expect(await server.ask('GET', path)).toMatchObject({
      status: 400,
      body: { error_code: 'GUARD_ERR_USAGE' },
    });
  });
});

describe('a body', () => {
  it('that is not UTF-8 reserves nothing of another name', async () => {
    const { server } = await opened();
    const bytes = Buffer.from('{"path_pattern":"src/\xff","reason":"r"}', 'latin1');
    const refused = await server.ask('POST', '/api/reservations', { agent: 'go-1', body: bytes });
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'BAD_JSON' } });
  });

  it.each([
    ['its length', 'Content-Length: 20\r\n\r\n{'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\n{'],
  ])('that breaks off with its client is no failure of guard: %s', async (_, rest) => {
    const { server } = await opened();
    const socket = connect(server.socket ?? '');
    const head =
      'POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Agent-ID: go-1\r\nContent-Type: application/json\r\n';
    await new Promise((resolve) => socket.write(head + rest, resolve));
    await server.ask('GET', '/health');
    socket.destroy();
    await server.ask('GET', '/health');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ exit: 0, stderr: '' });
  });

  it('of another type is refused', async () => {
    const { server } = await opened();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/jsonx', '']) {
      const ask = {
        agent: 'go-1',
        body: '{"path_pattern":"src/**","reason":"r"}',
        headers: { 'content-type': type },
      };
      expect(await server.ask('POST', '/api/reservations', ask), type).toMatchObject({
        status: 415,
        body: { error_code: 'NOT_JSON' },
      });
    }
  });

  it('that is no JSON object, or none that fits, is refused without a stack', async () => {
    const { server } = await opened();
    const odd = ['', '{"path_pattern":', '"src"', '[]', 'null', '{"path_pattern":1}', '['.repeat(50_000)];
    for (const body of odd) {
      const refused = await server.ask('POST', '/api/reservations', { agent: 'go-1', body });
      expect(refused.status, body.slice(0, 20)).toBe(400);
      expect(refused.body['error']).not.toMatch(/\bat .*:\d+:\d+/);
    }
  });

  it('of more than 128 KiB is refused, with and without its length', async () => {
    const { server } = await opened();
    const body = JSON.stringify({ path_pattern: 'x', reason: 'x'.repeat(131_072) });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const refused = await server.ask('POST', '/api/reservations', { agent: 'go-1', body, headers });
      expect(refused).toMatchObject({ status: 413, body: { error_code: 'TOO_LARGE' } });
    }
  });

  it('that comes in chunks is read like one whose length is said', async () => {
    const { server } = await opened();
    const body = '{"path_pattern":"src/**","reason":"réason"}';
    const headers = { 'transfer-encoding': 'chunked' };
    const made = await server.ask('POST', '/api/reservations', { agent: 'go-1', body, headers });
    expect(made).toMatchObject({ status: 201, body: { path_pattern: 'src/**', reason: 'réason' } });
  });

  it('cannot reach what objects inherit', async () => {
    const { server } = await opened();
    const body =
      '{"path_pattern":"src/**","reason":"r","__proto__":{"exclusive":false},"constructor":{"x":1}}';
    const { body: made } = await server.ask('POST', '/api/reservations', { agent: 'go-1', body });
    expect(made).toMatchObject({ exclusive: true });
  });
});

describe('headers', () => {
  it('of more than 8 KiB are refused', async () => {
    const { server } = await opened();
    const refused = await send(server, 'GET', '/health', { headers: { 'x-long': 'x'.repeat(9_000) } });
    expect(refused.status).toBe(431);
  });
});

describe('an address', () => {
  it('that is nothing is 404, one with another method 405', async () => {
    const { server } = await opened();
    for (const path of ['/', '/api', '/api/reservations/', '/api/reservations/a/b', '/..%2f..%2fetc/passwd'])
      expect(await send(server, 'GET', path), path).toMatchObject({
        status: 404,
        body: { error_code: 'NO_ROUTE', code: 404 },
      });
    const head = await send(server, 'HEAD', '/api/inbox/go-1', { agent: 'go-1' });
    expect(head.status).toBe(405);
    const wrong = await send(server, 'PUT', '/api/reservations');
    expect(wrong).toMatchObject({ status: 405, body: { error_code: 'WRONG_METHOD' } });
    expect(wrong.headers.allow).toBe('POST, GET');
  });

  it('of which no address can be made is 400', async () => {
    const { tcp, port } = await opened();
    for (const host of [`127.0.0.1:${port}.evil.example`, 'user@127.0.0.1', 'a b', '[::1'])
      expect(await tcp({ host }), host).toMatchObject({ status: 400, body: { error_code: 'BAD_REQUEST' } });
  });

  it('with a name that cannot be decoded is no crash', async () => {
    const { server } = await opened();
    const odd = await send(server, 'GET', '/api/inbox/%E0%A4%A', { agent: 'go-1' });
    expect(odd.status).toBeLessThan(500);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });
});
