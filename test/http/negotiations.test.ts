import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { scratch, working } from '../claude/driver.ts';
import { until } from '../mcp/client.ts';
import { serve } from './server.ts';

/** A session that has locked a file, and a client that requests it. */
async function opened() {
  const at = scratch({ files: { 'src/x': 'one\n' } });
  const server = await serve(at);
  const holder = working(at);
  holder.guard('lock', 'try', 'src/x');
  const ask = (wait_seconds = 0, signal?: AbortSignal) =>
    server.ask('POST', '/api/negotiations', {
      agent: 'go-1',
      body: { agent_name: holder.name, file: 'src/x', reason: 'need it', urgency: 'urgent', wait_seconds },
      ...(signal === undefined ? {} : { signal }),
    });
  return { at, server, holder, ask };
}

describe('asking for a file', () => {
  it('is pending until the holder, told by its hook, answers', async () => {
    const { server, holder, ask } = await opened();
    const { body } = await ask();
    expect(body).toMatchObject({ status: 'pending', to: holder.name, urgency: 'urgent' });
    const pending = await server.ask('GET', '/api/negotiations', { agent: 'go-1' });
    expect(pending.body).toMatchObject({
      requests: [
        { thread_id: body['thread_id'], file: 'src/x', from: 'go-1', to: holder.name, is_free: false },
      ],
      negotiation_timeouts: [],
    });
    expect(holder.prompt().context).toContain('go-1 asks you urgently to release "src/x"');
  });

  it('wakes the one who waits with the answer, and holds up nobody meanwhile', async () => {
    const { server, holder, ask } = await opened();
    const begun = performance.now();
    const waiting = ask(30);
    await until(async () => {
      const { body } = await server.ask('GET', '/api/negotiations', { agent: 'go-1' });
      return (body['requests'] as readonly object[]).length === 1;
    });
    const { body } = await server.ask('GET', '/api/negotiations', { agent: 'go-1' });
    const [{ thread_id }] = body['requests'] as [{ thread_id: string }];
    holder.guard(
      'negotiate',
      'respond',
      thread_id,
      '--requester',
      'go-1',
      '--file',
      'src/x',
      '--defer',
      '5m',
    );
    expect((await waiting).body).toMatchObject({ status: 'deferred', thread_id, eta_minutes: 5 });
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('ends after its time', async () => {
    const { ask } = await opened();
    expect((await ask(1)).body).toMatchObject({ status: 'timeout', waited: 1 });
  });

  it('of somebody who holds nothing there is refused', async () => {
    const { server } = await opened();
    await server.ask('POST', '/api/agents', { agent: 'go-2', body: {} });
    const refused = await server.ask('POST', '/api/negotiations', {
      agent: 'go-1',
      body: { agent_name: 'go-2', file: 'src/x', reason: 'need it' },
    });
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'GUARD_ERR_USAGE' } });
  });

  it.runIf(process.platform === 'linux')('stops waiting when the client goes away', async () => {
    const { server, ask } = await opened();
    const client = new AbortController();
    const waiting = ask(60, client.signal).catch((error: unknown) => error);
    await until(() => watches(server.pid) === 1);
    client.abort();
    await waiting;
    await until(() => watches(server.pid) === 0);
  });
});

/** The number of directories that a process watches. */
function watches(pid: number): number {
  const dir = `/proc/${pid}/fdinfo`;
  const infos = readdirSync(dir).map((fd) => {
    try {
      return readFileSync(`${dir}/${fd}`, 'utf8');
    } catch {
      return '';
    }
  });
  return infos.join('').match(/^inotify wd:/gm)?.length ?? 0;
}

describe('answering a request', () => {
  it('releases what the client holds there, and says what that was', async () => {
    const { at, server } = await opened();
    const held = await server.ask('POST', '/api/reservations', {
      agent: 'go-1',
      body: { path_pattern: 'lib/**', reason: 'mine' },
    });
    const asked = at.guardWith(
      { GUARD_AGENT_ID: 'shell' },
      ...['negotiate', 'request', 'lib/a', '--of', 'go-1', '--reason', 'need it', '--json'],
    );
    const { thread_id } = asked.json() as { thread_id: string };
    const respond = (more: object, thread = thread_id) =>
      server.ask('POST', `/api/negotiations/${thread}/response`, {
        agent: 'go-1',
        body: { requester: 'shell', file: 'lib/a', ...more },
      });
    expect((await respond({ action: 'release' }, 'unknown')).status).toBe(400);
    const deferred = await respond({ action: 'defer', eta_minutes: 7, reason: 'soon' });
    expect(deferred.body).toMatchObject({ action: 'defer', eta_minutes: 7, reason: 'soon' });
    const untrue = await server.ask('POST', '/api/messages', {
      agent: 'go-1',
      body: {
        to: 'shell',
        thread_id,
        subject: 'release-ack',
        body: '{"type":"release-ack","released":true}',
      },
    });
    expect(untrue).toMatchObject({ status: 409, body: { error_code: 'STILL_HELD' } });
    expect((await respond({ action: 'release' })).body).toEqual({
      action: 'release',
      thread_id,
      file: 'lib/a',
      released: 1,
      released_reservations: [{ id: held.body.id, pattern: 'lib/**' }],
      released_files: [],
    });
  });
});
