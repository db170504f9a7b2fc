/** Another process holds the ledger and does not release it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GuardError } from '../../src/core/error.ts';
import { waitInLine } from '../../src/http/wait-in-line.ts';
import { refusalOf } from '../../src/http/refusal.ts';
import { nativeFlock } from '../../src/store/flock/native.ts';
import { scratch, working } from '../claude/driver.ts';
import { until } from '../mcp/client.ts';
import { serve } from './server.ts';

const busy = () => new GuardError('GUARD_ERR_BUSY', 'Another process has held the ledger.', 'Try again.');

/** A process that takes flock(2) on a file and holds it until it is stopped. */
async function holding(path: string): Promise<() => void> {
  const child = spawn('flock', ['-x', path, 'sh', '-c', 'echo held; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let lives = true;
  const end = (): void => {
    if (lives && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    lives = false;
  };
  onTestFinished(end);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return end;
}

describe.runIf(process.platform === 'linux' && nativeFlock() !== undefined)(
  'while the ledger is held',
  () => {
    it('what needs it waits for it, and what does not is answered', async () => {
      const at = scratch();
      const server = await serve(at);
      await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} });
      const free = await holding(join(at.state, 'lock'));
      let isAnswered = false;
      const waiting = server
        .ask('POST', '/api/reservations', { agent: 'go-1', body: { path_pattern: 'src/**', reason: 'r' } })
        .finally(() => (isAnswered = true));
      const begun = performance.now();
      for (let time = 0; time < 5; time++) expect((await server.ask('GET', '/health')).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(isAnswered).toBe(false);
      free();
      expect((await waiting).status).toBe(201);
    });

    it('fifty that wait do not hold up what needs no ledger, and fill no log', async () => {
      const at = scratch();
      const server = await serve(at);
      await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} });
      await holding(join(at.state, 'lock'));
      const waiting = Array.from({ length: 50 }, (_, number) =>
        server.ask('POST', '/api/reservations', {
          agent: 'go-1',
          body: { path_pattern: `src/${number}`, reason: 'r' },
        }),
      );
      const took: number[] = [];
      for (let time = 0; time < 20; time++) {
        const begun = performance.now();
        expect((await server.ask('GET', '/health')).status).toBe(200);
        took.push(performance.now() - begun);
      }
      // Each attempt blocks for 25 ms; one after another they would take more than a second.
      expect(took.sort((a, b) => a - b)[10]).toBeLessThan(300);
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(503);
      server.signal('SIGTERM');
      expect(await server.ended).toEqual({ exit: 0, stderr: '' });
    });

    it('a wait for a file goes on, and hears the answer afterwards', async () => {
      const at = scratch({ files: { 'src/x': 'one\n' } });
      const server = await serve(at);
      const holder = working(at);
      holder.guard('lock', 'try', 'src/x');
      const waiting = server.ask('POST', '/api/negotiations', {
        agent: 'go-1',
        body: { agent_name: holder.name, file: 'src/x', reason: 'need it', wait_seconds: 30 },
      });
      await until(() => at.log('message').length === 1);
      const free = await holding(join(at.state, 'lock'));
      // Longer than the interval after which a wait looks again without being woken.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      free();
      holder.guard('lock', 'release', 'src/x');
      expect((await waiting).body).toMatchObject({ status: 'released', released_by: holder.name });
    });
  },
);

describe('patience', () => {
  it('ends with what was in the way, which is 503 and a time to come back', async () => {
    let mono_ms = 0;
    const tries: number[] = [];
    const end = waitInLine(
      () => mono_ms,
      new AbortController().signal,
      () => {
        tries.push(mono_ms);
        mono_ms += 1_000;
        throw busy();
      },
    );
    const refusal = refusalOf(await end.catch((error: unknown) => error));
    expect(tries).toEqual([0, 1_000, 2_000, 3_000]);
    expect(refusal.body()).toMatchObject({ code: 503, error_code: 'GUARD_ERR_BUSY', retry_after: 1 });
  });

  it('is for nothing else, and ends with the server', async () => {
    let tries = 0;
    const signal = AbortSignal.abort();
    const failing = (error: Error) => () => {
      tries++;
      throw error;
    };
    await expect(
      waitInLine(() => 0, new AbortController().signal, failing(new Error('other'))),
    ).rejects.toThrow('other');
    await expect(waitInLine(() => 0, signal, failing(busy()))).rejects.toThrow('Another process');
    expect(tries).toBe(2);
  });
});

describe('an error that nobody expected', () => {
  it('says nothing of itself to the client', () => {
    const { code, error, error_code } = refusalOf(new Error('secret in /home/x')).body();
    expect({ code, error, error_code }).toEqual({
      code: 500,
      error: 'guard has a bug.',
      error_code: 'GUARD_ERR_INTERNAL',
    });
  });
});
