/** The laws that show only when several processes work at the same time, or die. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { all, type Bench, get, put, range } from './bench.ts';
import { alone, type Call, race as raceOf, start } from './race.ts';
import { body } from './worker.ts';

const WORKERS = 4;
const ROUNDS = Number(process.env['GUARD_RACE_ROUNDS'] ?? 15);
const workers = (call: (worker: number) => Call): Call[] =>
  Array.from({ length: WORKERS }, (_, worker) => call(worker));

interface Counted {
  readonly before: number;
  readonly token: number;
}

const middle = (times_ms: readonly number[]): number =>
  [...times_ms].sort((a, b) => a - b)[Math.floor(times_ms.length / 2)] ?? NaN;

/** Starts a process that echoes each line; measures a round trip in milliseconds. */
function echoing(): () => Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)']);
  onTestFinished(() => void child.kill());
  return async () => {
    const sent_ms = Date.now();
    child.stdin.write('\n');
    await once(child.stdout, 'data');
    return Date.now() - sent_ms;
  };
}

export function racing(bench: Bench): void {
  const { engine, place, store } = bench;
  const race = (at: string, calls: readonly Call[]): Promise<unknown[][]> => raceOf(engine, at, calls);

  test('processes that add to one key lose no addition, and every token is larger than those before', async () => {
    const lines = await race(
      place(),
      workers((worker) => ['count', 'n', String(ROUNDS), `w${worker}`]),
    );
    const counted = (lines.flat() as Counted[]).sort((a, b) => a.before - b.before);
    expect(counted.map(({ before }) => before)).toEqual(
      Array.from({ length: WORKERS * ROUNDS }, (_, at) => at),
    );
    for (const [at, { token }] of counted.entries())
      expect(token).toBeGreaterThan(counted[at - 1]?.token ?? 0);
    expect(await get(store(), 'n')).toBe(WORKERS * ROUNDS);
  });

  test('what a transaction returned is in the ledger, once, in commit order', async () => {
    const lines = await race(
      place(),
      workers((worker) => ['count', `own:${worker}`, String(ROUNDS), `w${worker}`]),
    );
    const found = await all(store());
    expect(found.length).toBe(WORKERS * ROUNDS);
    for (const [worker, said] of lines.entries()) {
      const mine = found.filter(({ agent }) => agent === `w${worker}`).map(({ s }) => s[`own:${worker}`]);
      expect(mine).toEqual((said as Counted[]).map(({ before }) => before + 1));
    }
  });

  test('a reader sees all records of a commit or none', async () => {
    await put(store(), body(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`sum:${at}`, 20]))));
    const lines = await race(place(), [
      ...workers((worker) => ['move', String(ROUNDS), String(worker + 1)]),
      ['sum', String(ROUNDS)],
      ['sum', String(ROUNDS)],
    ]);
    expect(lines.slice(WORKERS)).toEqual([[{ sums: [100] }], [{ sums: [100] }]]);
  });

  test('processes that ask for keys one after the other never take the same one', async () => {
    const lines = await race(
      place(),
      workers((worker) => ['chain', `w${worker}`, String(WORKERS)]),
    );
    const taken = (lines.flat() as { readonly taken: number }[]).map((line) => line.taken);
    expect(taken.sort()).toEqual(Array.from({ length: WORKERS }, (_, at) => at));
  });

  test('a retry under one id counts once, from whichever process it comes', async () => {
    await race(
      place(),
      workers(() => ['twice', 'one', 'same']),
    );
    expect(await get(store(), 'twice')).toBe(1);
  });

  test('processes that look and commit by themselves lose nothing, and never commit on what has moved', async () => {
    const lines = await race(
      place(),
      workers((worker) => ['add', 'n', String(ROUNDS), `w${worker}`]),
    );
    expect(await get(store(), 'n')).toBe(WORKERS * ROUNDS);
    expect((lines.flat() as { readonly lsn: number }[]).map(({ lsn }) => lsn).sort((a, b) => a - b)).toEqual(
      (await all(store())).map(({ lsn }) => lsn),
    );
  });

  test('of processes that each write where the others only read, one comes first', async () => {
    for (let round = 0; round < 5; round++) {
      await race(
        place(),
        workers((worker) => ['skew', String(round), String(worker), String(WORKERS)]),
      );
      expect((await range(store(), `skew:${round}/`)).map(([, state]) => state)).toEqual([1]);
    }
  });

  test('processes that count a listing before they add to it never make it longer than they may', async () => {
    await race(
      place(),
      workers((worker) => ['join', `w${worker}`, '3', '2']),
    );
    expect((await range(store(), 'member:')).length).toBe(3);
  });

  test.skipIf(!engine.processes)(
    'a process that dies inside its step leaves nothing, and nobody waits for it',
    async () => {
      await put(store(), body({ k: 'before' }));
      const { signal, lines } = await start(engine, place(), ['die', 'k']).ended;
      expect([signal, lines]).toEqual(['SIGKILL', [{ saw: 'before' }]]);
      expect(await get(store(), 'k')).toBe('before');
      await put(store(), body({ k: 'after' }));
      expect((await all(store())).length).toBe(2);
    },
  );

  test('a process that opens the store later finds everything', async () => {
    await race(place(), [['count', 'n', '25']]);
    const [counted] = await alone(engine, place(), ['count', 'n', '1']);
    expect((counted as Counted).before).toBe(25);
  });

  test('watch yields every record from its start on, and those to come as they are committed', async () => {
    if (!store().supports.watch) return;
    await put(store(), body({ k: 0 }));
    const stop = new AbortController();
    const seen: unknown[] = [];
    const watching = (async () => {
      for await (const record of store().watch(0, stop.signal)) {
        seen.push(record.s['k']);
        if (seen.length === 21) stop.abort();
      }
    })();
    for (let at = 1; at <= 20; at++) await put(store(), body({ k: at }));
    await watching;
    expect(seen).toEqual(Array.from({ length: 21 }, (_, at) => at));
  });

  test.skipIf(!engine.processes)('watch wakes in another process, long before a poll would', async () => {
    const follower = start(engine, place(), ['follow', '0', '5']);
    await follower.lines(1);
    const echo = echoing();
    await echo();
    const waits: number[] = [];
    const echoes: number[] = [];
    for (let at = 0; at < 5; at++) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      const committed_ms = Date.now();
      await put(store(), body({ k: at }));
      await follower.lines(at + 2);
      waits.push(Date.now() - committed_ms);
      echoes.push(await echo());
    }
    const { lines } = await follower.ended;
    expect(lines.length).toBe(6);
    // Medians, so that one hiccup does not count. Polling alone would take 125 ms on average; a busy machine wakes any
    // process late, at a load of 15 by more than 100 ms.
    expect(middle(waits)).toBeLessThan(100 + 3 * middle(echoes));
  });

  test('a watcher that is aborted ends', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const seen: unknown[] = [];
    for await (const record of store().watch(0, stop.signal)) seen.push(record);
    expect(seen).toEqual([]);
  });
}
