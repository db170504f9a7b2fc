/** `guard serve` and its callers: other users, web pages, agents, other machines. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { working, wrongs } from '../claude/driver.ts';
import { send, serve } from '../http/server.ts';
import { installed } from './installed.ts';

const modeOf = (path: string | null): number => fs.statSync(path ?? '').mode & 0o777;

describe('HTTP is as strong as the files', () => {
  it('who can open the socket needs no token, and is bound by the rules of the ledger like anybody', async () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    agent.lock('a.txt');
    const server = await serve(at, ['--no-tcp']);
    const ask = { agent: 'go-1', body: { path_pattern: '*.txt', reason: 'r' } };
    const refused = await server.ask('POST', '/api/reservations', ask);
    expect(refused.status).toBe(409);
    const mine = { agent: 'go-1', body: { path_pattern: 'src/**', reason: 'r' } };
    expect((await server.ask('POST', '/api/reservations', mine)).status).toBe(201);
    expect(wrongs(agent.write('src/b.txt', 'x').pre)[0]).toBe('LOCKED_BY_OTHER');
  });
});

describe('another user connects', () => {
  it('to a socket that is not theirs, or to TCP without the token', async () => {
    const at = installed();
    const server = await serve(at);
    expect([modeOf(server.socket), modeOf(dirname(server.socket ?? ''))]).toEqual([0o600, 0o700]);
    const token = fs.readFileSync(server.token_file ?? '', 'utf8').trim();
    expect([Buffer.from(token, 'base64url').length, modeOf(server.token_file)]).toEqual([32, 0o600]);
    const ask = (authorization: string) =>
      server.ask('GET', '/api/agents', { tcp: true, headers: { authorization } });
    expect([(await ask('')).status, (await ask(`Bearer ${'A'.repeat(43)}`)).status]).toEqual([401, 401]);
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    const open = await serve(at, ['--no-token', '--no-socket']);
    expect((await send(open, 'GET', '/api/agents', { tcp: true })).status).toBe(200);
  });

  it.runIf(process.getuid?.() === 0)('as the kernel sees it: a connection of theirs is refused', async () => {
    const server = await serve(installed(), ['--no-tcp']);
    const code = `require('net').connect(${JSON.stringify(server.socket)}).on('error', (e) => console.log(e.code))`;
    const { stdout } = spawnSync(process.execPath, ['-e', code], {
      uid: 12_345,
      gid: 12_345,
      encoding: 'utf8',
      cwd: '/',
    });
    expect(stdout.trim()).toBe('EACCES');
  });
});

describe('a web page sends requests', () => {
  it('refused for what browsers send, for a host that is not ours, for a form; no answer allows other origins', async () => {
    const server = await serve(installed(), ['--no-token']);
    const { port } = new URL(server.url ?? '');
    const headers: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: server.url ?? '' },
      { 'sec-fetch-site': 'same-site' },
      { host: `evil.example:${port}` },
    ];
    for (const more of headers)
      expect(
        (await send(server, 'GET', '/api/agents', { tcp: true, headers: more })).status,
        JSON.stringify(more),
      ).toBe(403);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = {
      agent: 'go-1',
      body: '{"path_pattern":"src/**","reason":"r"}',
      headers: form,
      tcp: true,
    };
    expect((await server.ask('POST', '/api/reservations', posted)).status).toBe(415);
    const preflight = await send(server, 'OPTIONS', '/api/agents', { tcp: true, headers: headers[0] ?? {} });
    const plain = await send(server, 'GET', '/api/agents', {
      tcp: true,
      headers: { 'sec-fetch-site': 'none' },
    });
    expect([preflight.status, plain.status]).toEqual([403, 200]);
    const named = [preflight, plain].flatMap((answer) => Object.keys(answer.headers));
    expect(named.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('an agent calls the server in the name of another', () => {
  it('a session, a subagent, a person: refused, unless a person started the server with --sessions', async () => {
    const at = installed();
    const agent = working(at);
    const subagent = agent.subagent('sub');
    subagent.fire('SubagentStart');
    const person = 'me@host:pts-1';
    const as = (name: string) => ({ agent: name, body: { path_pattern: `${name.length}/**`, reason: 'r' } });
    const strict = await serve(at, ['--no-tcp']);
    for (const name of [agent.name, subagent.name, person])
      expect(await strict.ask('POST', '/api/reservations', as(name)), name).toMatchObject({
        status: 403,
        body: { error_code: 'SPEAKS_FOR_ITSELF' },
      });
    expect(agent.guard('serve', '--sessions', '--port', '0').exit).toBe(64);
    const open = await serve(at, ['--sessions', '--no-tcp', '--socket', `${at.home}/other.sock`]);
    expect((await open.ask('POST', '/api/reservations', as(agent.name))).status).toBe(201);
    expect((await open.ask('POST', '/api/reservations', as(person))).status).toBe(403);
    expect(at.log('hold')).toMatchObject([{ agent: agent.name }]);
  });
});

describe('a client of the server takes the id of a session', () => {
  it('that is not there yet, in any case, or that of another client in another case: refused', async () => {
    const server = await serve(installed(), ['--no-tcp']);
    const join = (agent: string) => server.ask('POST', '/api/agents', { agent, body: {} });
    expect((await join('go-1')).status).toBe(201);
    for (const name of ['claude-not-yet', 'CLAUDE-not-yet', 'Claude-x/sub', 'GO-1'])
      expect(await join(name), name).toMatchObject({
        status: 403,
        body: { error_code: 'SPEAKS_FOR_ITSELF' },
      });
    expect((await join('go-1')).status).toBe(201);
  });
});

describe('a client of the server takes any name', () => {
  it('also that of another client: it may, and the ledger has each name', async () => {
    const at = installed();
    const server = await serve(at, ['--no-tcp']);
    for (const agent of ['go-1', 'go-2'])
      await server.ask('POST', '/api/reservations', {
        agent,
        body: { path_pattern: `${agent}/**`, reason: 'r' },
      });
    const { body } = await server.ask('GET', '/api/reservations?agent=go-2');
    const [{ id = '' } = {}] = body['reservations'] as readonly { id?: string }[];
    expect((await server.ask('DELETE', `/api/reservations/${id}`, { agent: 'go-2' })).status).toBeLessThan(
      300,
    );
    expect(at.log('hold').map(({ agent }) => agent)).toEqual(['go-1', 'go-2']);
    expect(at.log('release').map(({ agent }) => agent)).toEqual(['go-2']);
  });
});

describe('another machine connects', () => {
  it('there is no address but loopback to listen on', async () => {
    const at = installed();
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.2'])
      expect(at.guard('serve', '--host', host, '--port', '0').exit, host).toBe(64);
    expect(new URL((await serve(at)).url ?? '').hostname).toBe('127.0.0.1');
  });
});
