/** The server's life: where it listens, what it finds there, how it ends. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GUARD, initialise, runLater, scratch, type Scratch, working } from '../claude/driver.ts';
import { until } from '../mcp/client.ts';
import { serve } from './server.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A start that is expected to fail. */
const refused = (at: Scratch, ...args: readonly string[]) => {
  const told = at.guard('serve', '--json', ...args);
  const { error } = told.json() as { error: { code: string; message: string; hint: string } };
  return { exit: told.exit, ...error };
};

describe('the socket', () => {
  it('is the user’s alone, in the state directory', async () => {
    // Node 24 copies directories without their mode.
    const at = scratch({ fresh: true });
    const { socket } = await serve(at);
    expect(socket).toBe(join(at.state, 'serve.sock'));
    expect(modeOf(socket ?? '')).toBe(0o600);
    expect(modeOf(dirname(socket ?? ''))).toBe(0o700);
  });

  it('of a server that was killed is replaced', async () => {
    const at = scratch();
    const first = await serve(at);
    first.signal('SIGKILL');
    await first.ended;
    expect(existsSync(first.socket ?? '')).toBe(true);
    const second = await serve(at);
    expect((await second.ask('GET', '/health')).status).toBe(200);
  });

  it('of a server that lives is left to it', async () => {
    const at = scratch();
    const first = await serve(at);
    expect(refused(at, '--port', '0')).toMatchObject({
      exit: 2,
      code: 'GUARD_ERR_LISTEN',
      hint: expect.stringContaining('--no-socket') as unknown,
    });
    expect((await first.ask('GET', '/health')).status).toBe(200);
  });

  it('of another program that lives is left to it, and a file of that name too', async () => {
    const at = scratch();
    const path = join(at.home, 'other.sock');
    const other = createServer().listen(path);
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    // The other server runs in this process, so waiting for the start synchronously would keep it from answering.
    const told = await at.startGuard({}, 'serve', '--json', '--no-tcp', '--socket', path).done;
    expect(told.stdout).toContain('GUARD_ERR_LISTEN');
    const file = at.put('../file.sock', 'x');
    expect(refused(at, '--no-tcp', '--socket', file)).toMatchObject({ code: 'GUARD_ERR_LISTEN' });
    expect(at.read(file)).toBe('x');
  });

  it('is not put where others can change it', () => {
    const at = scratch();
    const dir = join(at.home, 'open');
    mkdirSync(dir);
    execFileSync('chmod', ['777', dir]);
    const told = refused(at, '--no-tcp', '--socket', join(dir, 'x.sock'));
    expect(told).toMatchObject({ exit: 2, code: 'GUARD_ERR_LISTEN' });
    expect(told.message).toContain('others can change');
  });

  it('goes to a short place of the user’s own where the state directory’s path is too long', async () => {
    const base = scratch({ init: null });
    const long = join(base.home, 'x'.repeat(90));
    mkdirSync(long);
    const at = { ...base, root: long };
    execFileSync('git', ['init', '-q', long]);
    await runLater({ args: [GUARD, 'init'], cwd: long, env: base.env }).done;
    const server = await serve(at, ['--no-tcp'], { XDG_RUNTIME_DIR: base.home });
    expect(server.socket).toMatch(new RegExp(`^${base.home}/guard/[0-9a-f]{16}\\.sock$`));
    expect(modeOf(dirname(server.socket ?? ''))).toBe(0o700);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it('is where existing clients look, if they say where', async () => {
    const at = scratch();
    const path = join(at.home, 'intermute.sock');
    const server = await serve(at, ['--no-tcp'], { INTERMUTE_SOCKET: path });
    expect(server).toMatchObject({ socket: path, url: null, token_file: null });
  });
});

describe('the port', () => {
  it('in use is an error that says what to do', async () => {
    const at = scratch();
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    expect(refused(at, '--port', String(port))).toMatchObject({
      exit: 2,
      code: 'GUARD_ERR_LISTEN',
      message: `127.0.0.1:${port} is in use.`,
      hint: expect.stringContaining('--port 0') as unknown,
    });
    expect(existsSync(join(at.state, 'serve.sock'))).toBe(false);
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', 'example.com', '127.1'])('is not opened on %s', (host) => {
    expect(scratch().guard('serve', '--host', host).exit).toBe(64);
  });

  it('or a socket: one of them is needed', () => {
    expect(refused(scratch(), '--no-tcp', '--no-socket')).toMatchObject({ exit: 64 });
  });
});

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s ends waits, answers them, and tidies up',
    async (name) => {
      const at = scratch({ files: { 'src/x': 'one\n' } });
      const server = await serve(at);
      const holder = working(at);
      holder.guard('lock', 'try', 'src/x');
      const waiting = server.ask('POST', '/api/negotiations', {
        agent: 'go-1',
        body: { agent_name: holder.name, file: 'src/x', reason: 'need it', wait_seconds: 60 },
      });
      await until(async () => {
        const { body } = await server.ask('GET', '/api/negotiations', { agent: 'go-1' });
        return (body['requests'] as readonly object[]).length === 1;
      });
      server.signal(name);
      expect((await waiting).body).toMatchObject({ status: 'timeout' });
      expect(await server.ended).toEqual({ exit: 0, stderr: '' });
      expect(existsSync(server.socket ?? '')).toBe(false);
      await expect(server.ask('GET', '/health', { tcp: true })).rejects.toThrow('ECONNREFUSED');
    },
  );
});

describe('the ledger below it', () => {
  it('may be compacted by another process', async () => {
    const at = scratch();
    const server = await serve(at);
    const reserve = (path_pattern: string) =>
      server.ask('POST', '/api/reservations', { agent: 'go-1', body: { path_pattern, reason: 'r' } });
    const { body } = await reserve('src/**');
    expect(at.guard('compact').exit).toBe(0);
    expect((await reserve('src/**')).body.id).toBe(body.id);
    expect((await reserve('lib/**')).status).toBe(201);
  });

  it('may be removed, and made again', async () => {
    const at = scratch();
    const server = await serve(at, ['--socket', join(at.home, 'x.sock')]);
    await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} });
    renameSync(at.state, `${at.state}.gone`);
    const agents = () => server.ask('GET', '/api/agents');
    const lost = await agents();
    expect(lost).toMatchObject({ status: 503, body: { error_code: 'GUARD_ERR_NOT_INITIALISED' } });
    expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0);
    rmSync(`${at.state}.gone`, { recursive: true });
    initialise(at, []);
    await until(async () => (await agents()).status === 200);
    expect((await agents()).body['agents']).toEqual([]);
  });

  it('that is damaged refuses, without telling more than guard’s own error', async () => {
    const at = scratch();
    const server = await serve(at);
    await server.ask('POST', '/api/agents', { agent: 'go-2', body: {} });
    const segment = join(at.state, 'ledger-000000000001.jsonl');
    const text = at.read(segment);
    writeFileSync(segment, text.replace('"type"', '"tYpe"'));
    rmSync(join(at.state, 'index'), { force: true });
    const { status, body } = await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} });
    expect({ status, body }).toMatchObject({ status: 500, body: { error_code: 'GUARD_ERR_CORRUPT' } });
  });
});

describe('two servers of one repository', () => {
  it('are one: what one reserves the other knows', async () => {
    const at = scratch();
    const first = await serve(at);
    const second = await serve(at, ['--socket', join(at.home, 'second.sock')]);
    const { body } = await first.ask('POST', '/api/reservations', {
      agent: 'go-1',
      body: { path_pattern: 'src/**', reason: 'r' },
    });
    const listed = await second.ask('GET', '/api/reservations');
    expect(listed.body['reservations']).toEqual([body]);
    const gone = await second.ask('DELETE', `/api/reservations/${body.id ?? ''}`, { agent: 'go-1' });
    expect(gone.status).toBe(204);
  });
});
