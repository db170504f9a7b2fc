/** Waiters of one machine, which share one connection for notifications. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBell } from '../../../src/store/postgres/bell.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { socketPath } from '../../../src/store/postgres/wakes.ts';
import { transact } from '../../../src/store/transact.ts';
import { fleetDir } from '../../../src/workspace/fleet-dir.ts';
import { body } from '../contract/worker.ts';
import { asOwner } from './cluster.ts';
import { hasPostgres } from './programs.ts';
import { newRepository, sharedCluster, urlOf } from './shared.ts';

const dirHere = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'bell-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** How often each waiter was rung, and the connections that listen. */
function waiters(path: string, count: number) {
  const open = new Set<() => void>();
  const heard = Array.from({ length: count }, () => 0);
  const listen = (ring: () => void) => {
    open.add(ring);
    return { close: () => void open.delete(ring) };
  };
  const all = heard.map((_, nth) => openBell(path, () => (heard[nth] = (heard[nth] ?? 0) + 1), listen));
  onTestFinished(() => all.forEach((one) => one.close()));
  const notify = (): void => open.forEach((ring) => ring());
  const isOne = () => expect.poll(() => open.size, { timeout: 10_000 }).toBe(1);
  return { all, heard, open, notify, isOne };
}

test('of many waiters that begin at once one listens, and all are rung', async () => {
  const { heard, notify, isOne } = waiters(join(dirHere(), 'b.sock'), 6);
  await pause(200);
  await isOne();
  await pause(100);
  const before = [...heard];
  notify();
  await expect.poll(() => heard.every((rung, nth) => rung > (before[nth] ?? 0))).toBe(true);
});

test('when the one that listens ends, another takes its place and rings the rest', async () => {
  const path = join(dirHere(), 'b.sock');
  const { all, heard, notify, open, isOne } = waiters(path, 4);
  await pause(200);
  await isOne();
  for (const one of all.slice(0, 3)) one.close();
  await isOne();
  const before = heard[3] ?? 0;
  notify();
  expect(heard[3]).toBe(before + 1);
  all[3]?.close();
  expect(open.size).toBe(0);
});

test('a socket whose owner was killed, and a file in its place, keep nobody from listening', async () => {
  const path = join(dirHere(), 'b.sock');
  writeFileSync(path, '');
  const { heard, notify, isOne } = waiters(path, 2);
  await pause(200);
  await isOne();
  const before = heard[1] ?? 0;
  notify();
  await expect.poll(() => (heard[1] ?? 0) > before).toBe(true);
});

test('without a place for the socket each listens for itself', async () => {
  const { heard, notify, open } = waiters(join(dirHere(), 'missing', 'b.sock'), 2);
  await expect.poll(() => open.size).toBe(2);
  notify();
  expect(heard).toEqual([1, 1]);
});

test('the socket has a place in a home directory of an ordinary name, counted in bytes', () => {
  const dirOf = (user: string): string => fleetDir({ HOME: `/Users/${user}` }, 'r', 'm');
  const most = 20;
  const place = socketPath(dirOf('x'.repeat(most)), 'an address');
  if (process.platform !== 'win32') expect(place).toContain('x'.repeat(most));
  // Half as many characters, of three bytes each.
  expect(socketPath(dirOf('用'.repeat(most)), 'an address')).toBeNull();
  expect(socketPath('', 'an address')).toBeNull();
});

describe.skipIf(!hasPostgres())('on a server', () => {
  test('stores of one machine have one connection that listens, and each is woken', async () => {
    const cluster = await sharedCluster();
    const config = { url: urlOf(cluster), repository: await newRepository(cluster), machine_dir: dirHere() };
    const stores = await Promise.all([1, 2, 3].map(() => openPostgres(config)));
    const end = new AbortController();
    const seen = stores.map(async (store) => {
      for await (const { type } of store.watch(0, end.signal)) if (type === 'last') return performance.now();
      return Infinity;
    });
    const listening = (): Promise<number> =>
      asOwner(cluster, async (owner) => {
        const asked = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query = $1`;
        const { rows } = await owner.query<{ n: number }>(asked, [`LISTEN "guard_${await repoOf()}"`]);
        return rows[0]?.n ?? 0;
      });
    const repoOf = (): Promise<number> =>
      asOwner(cluster, async (owner) => {
        const asked = 'SELECT repo FROM guard.repository WHERE id = $1';
        return (await owner.query<{ repo: number }>(asked, [config.repository])).rows[0]?.repo ?? 0;
      });
    await pause(500);
    await expect.poll(listening, { timeout: 5_000 }).toBe(1);
    const [first] = stores;
    if (first === undefined) throw new Error('no store');
    const begun_ms = performance.now();
    await transact(first, () => ({ records: [{ ...body({ x: 1 }), type: 'last' }], result: null }));
    const took_ms = (await Promise.all(seen)).map((at_ms) => at_ms - begun_ms);
    end.abort();
    await Promise.all(stores.map((store) => store.close()));
    expect(Math.max(...took_ms)).toBeLessThan(5_000);
    await expect.poll(listening, { timeout: 5_000 }).toBe(0);
  });
});
