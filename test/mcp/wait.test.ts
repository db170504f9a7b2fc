/** Waiting over MCP: woken by the release, cancelled, timed out, and never blocking another agent. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';
import { serve, until } from './client.ts';

const [A, B, C] = ['claude-a', 'claude-b', 'claude-c'];

const isWaiting = (at: Scratch, who: string): boolean =>
  JSON.stringify(at.guard('status', '--json').json()).includes(`"from":"${who}"`);

describe('lock_wait', () => {
  it('returns at once where nobody is in the way, with the same shape as lock_try', async () => {
    const { as } = await serve(scratch());
    const told = await as(A).call('lock_wait', { filepaths: ['b', 'a'], poll_interval_ms: 50 });
    expect(told).toMatchObject({
      results: [
        { filepath: 'a', acquired: true, holder: null },
        { filepath: 'b', acquired: true, holder: null },
      ],
      all_acquired: true,
    });
  });

  it('respects its timeout, for each file, in sorted canonical order, and keeps what it got', async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a', 'c');
    const start = performance.now();
    const told = await as(B).lockWait(0.3, 'c', 'b', 'a');
    const took_ms = performance.now() - start;
    expect(told.results.map(({ filepath, acquired, error }) => [filepath, acquired, error])).toEqual([
      ['a', false, 'timeout'],
      ['b', true, undefined],
      ['c', false, 'timeout'],
    ]);
    expect(took_ms).toBeGreaterThanOrEqual(600);
    expect(took_ms).toBeLessThan(5_000);
  });

  it('with all_or_nothing has one timeout and takes nothing', async () => {
    const { as } = await serve(scratch());
    await as(A).lockTry('a', 'c');
    const start = performance.now();
    const told = await as(B).call('lock_wait', {
      filepaths: ['a', 'b', 'c'],
      timeout_seconds: 0.4,
      all_or_nothing: true,
    });
    expect(performance.now() - start).toBeLessThan(750);
    expect(told.results.map(({ acquired }) => acquired)).toEqual([false, false, false]);
    expect((await as(A).lockTry('b')).all_acquired).toBe(true);
  });

  it('gets the lock as soon as its holder gives it back', async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).lockTry('a');
    const waiting = as(B).lockWait(20, 'a');
    await until(() => isWaiting(at, B));
    await as(A).release('a');
    expect((await waiting).all_acquired).toBe(true);
  });

  it('never blocks the server: other calls are answered while several wait', async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).lockTry('a');
    const waiting = [as(B).lockWait(20, 'a'), as(C).lockWait(20, 'a')];
    await until(() => isWaiting(at, B) && isWaiting(at, C));
    const start = performance.now();
    expect((await as('claude-d').lockTry('d')).all_acquired).toBe(true);
    expect((await as('claude-d').call('lock_status', { filepaths: ['a'] })).results[0]?.holder).toBe(A);
    expect(performance.now() - start).toBeLessThan(1_000);
    await as(A).release('a');
    expect((await waiting[0])?.all_acquired).toBe(true);
    await as(B).release('a');
    expect((await waiting[1])?.all_acquired).toBe(true);
  });

  it('a cancelled request ends its wait: no edge, no ticket, nothing taken afterwards', async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).lockTry('a');
    const cancel = new AbortController();
    const waiting = as(B).call(
      'lock_wait',
      { filepaths: ['a', 'b'], timeout_seconds: 30 },
      { signal: cancel.signal },
    );
    await until(() => isWaiting(at, B));
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => at.log('unwait').length > 0);
    expect(at.log('unwait')).toMatchObject([{ agent: B, cause: 'cancelled' }]);
    expect(isWaiting(at, B)).toBe(false);
    await as(A).release('a');
    expect((await as(C).lockTry('a', 'b')).all_acquired).toBe(true);
  });

  it('sends progress notifications while it waits: who holds the file, and how long it may yet take', async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).lockTry('a');
    const heard: { progress: number; message?: string | undefined }[] = [];
    await as(B).call(
      'lock_wait',
      { filepaths: ['a'], timeout_seconds: 1.5 },
      { onprogress: (progress) => heard.push(progress) },
    );
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(heard.every(({ progress }, n) => n === 0 || progress > (heard[n - 1]?.progress ?? 0))).toBe(true);
    expect(heard[0]?.message).toMatch(/^Waiting for a, held by claude-a; at most \d s more\./);
  });

  it('ends with its client: waits of a server whose stdin ended are on record as cancelled', async () => {
    const at = scratch();
    const server = await serve(at);
    await server.as(A).lockTry('a');
    const waiting = server.as(B).lockWait(60, 'a');
    waiting.catch(() => undefined);
    await until(() => isWaiting(at, B));
    await server.close();
    await until(() => at.log('unwait').some((record) => record['cause'] === 'cancelled'));
  });

  it('of a server that was killed keeps nobody waiting', async () => {
    const at = scratch();
    const [killed, { as }] = [await serve(at), await serve(at)];
    await as(A).lockTry('a');
    killed
      .as(B)
      .lockWait(300, 'a')
      .catch(() => undefined);
    await until(() => isWaiting(at, B));
    const waiting = as(C).lockWait(60, 'a');
    await until(() => isWaiting(at, C));
    process.kill(killed.pid, 'SIGKILL');
    await as(A).release('a');
    const begun = performance.now();
    expect((await waiting).all_acquired).toBe(true);
    // The wait was for half a minute.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("is served when the holder's process dies, without any word from it", async () => {
    const at = scratch();
    const { as } = await serve(at);
    const holder = at.sleeper();
    const env = { CLAUDE_CODE_SESSION_ID: 'dying', CLAUDE_PID: String(holder.pid) };
    at.guardWith(env, 'lock', 'try', 'a');
    const waiting = as(B).lockWait(20, 'a');
    await until(() => isWaiting(at, B));
    holder.kill('SIGKILL');
    expect((await waiting).all_acquired).toBe(true);
  });

  it("is served when the holder's lease expires", async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).call('lock_try', { filepaths: ['a'], ttl_seconds: 0.8 });
    const told = await as(B).lockWait(10, 'a');
    expect(told.all_acquired).toBe(true);
  });
});

describe('first in, first out', () => {
  it('a release goes to whoever has waited longest; nobody starves, a try overtakes nobody', async () => {
    const at = scratch();
    const { as } = await serve(at);
    const names = ['claude-1', 'claude-2', 'claude-3', 'claude-4'];
    await as(A).lockTry('a');
    const served: string[] = [];
    const waits = [];
    for (const name of names) {
      waits.push(
        as(name)
          .lockWait(30, 'a')
          .then(async ({ all_acquired }) => {
            expect(all_acquired).toBe(true);
            served.push(name);
            expect((await as('claude-pushy').lockTry('a')).all_acquired).toBe(false);
            await as(name).release('a');
          }),
      );
      await until(() => isWaiting(at, name));
    }
    await as(A).release('a');
    await Promise.all(waits);
    expect(served).toEqual(names);
  });

  it('one that wants several at once is not starved by those that take turns with one of them', async () => {
    const at = scratch();
    const { as } = await serve(at);
    await as(A).lockTry('a');
    const both = as(B).call('lock_wait', {
      filepaths: ['a', 'b'],
      timeout_seconds: 20,
      all_or_nothing: true,
    });
    await until(() => isWaiting(at, B));
    expect((await as(C).lockTry('b')).results[0]).toMatchObject({ acquired: false, holder: B });
    await as(A).release('a');
    expect((await both).all_acquired).toBe(true);
  });
});
