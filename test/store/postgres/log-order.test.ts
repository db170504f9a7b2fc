import { beforeAll, describe, expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../../../src/store/postgres/migrations/index.ts';
import { newEpoch, openPostgres, type PostgresConfig } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { all, put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster, connectTo } from './cluster.ts';
import { configWith, mutated } from './databases.ts';
import { hasPostgres } from './programs.ts';
import { sharedCluster } from './shared.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };
/** A commit has its number when it waits for the row. */
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

describe.skipIf(!hasPostgres())('the log of a shared ledger', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  /** One commit has its number but waits for a row lock; another overtakes it: what readers see, then and later. */
  async function lateCommit(
    config: PostgresConfig,
    isSkipped = false,
  ): Promise<{ seen: unknown[]; tips: number[]; end: unknown[] }> {
    const [slow, fast] = await Promise.all([openPostgres(config), openPostgres(config)]);
    await put(slow, body({ slow: 0, fast: 0 }));
    const owner = await connectTo(cluster, new URL(config.url).pathname.slice(1));
    await owner.query(`BEGIN; SELECT FROM guard.state WHERE convert_from(key, 'UTF8') = 'slow' FOR UPDATE`);
    const seen: unknown[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const { s } of fast.watch(0, stop.signal)) seen.push(s);
    })();
    const late = put(slow, body({ slow: 1 }));
    await vi.waitFor(async () => {
      const { rows } = await owner.query(WAITING);
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    await put(fast, body({ fast: 1 }));
    const early = (await fast.look([])).tip;
    if (isSkipped)
      await vi.waitFor(() => {
        expect(seen).toHaveLength(2);
      }, PATIENCE);
    else await soon();
    await owner.query('ROLLBACK');
    await late;
    await soon();
    const tips = [early, (await fast.look([])).tip];
    const end = (await all(fast)).map(({ s }) => s);
    stop.abort();
    await Promise.all([watching, owner.end()]);
    await Promise.all([slow.close(), fast.close()]);
    return { seen, tips, end };
  }

  test('a commit that comes in behind a later one is skipped by nobody', async () => {
    const { seen, tips, end } = await lateCommit(await configWith(cluster, MIGRATIONS));
    expect(seen).toEqual([{ slow: 0, fast: 0 }, { slow: 1 }, { fast: 1 }]);
    expect(end).toEqual(seen);
    expect(tips).toEqual([2, 4]);
  });

  test('is skipped where readers do not stop', async () => {
    const bug = mutated('IF top IS NULL OR drawn < oldest THEN', 'IF true THEN');
    const { seen } = await lateCommit(await configWith(cluster, bug), true);
    expect(seen).toEqual([{ slow: 0, fast: 0 }, { fast: 1 }]);
  });

  test('transactions that have nothing to do with it stop nobody', async () => {
    const store = await openPostgres(await configWith(cluster, MIGRATIONS));
    await asOwner(cluster, async (client) => {
      await client.query('BEGIN; SELECT pg_current_xact_id()');
      const lsn = await put(store, body({ k: 1 }));
      expect((await all(store)).map((record) => record.lsn)).toEqual([lsn]);
      expect((await store.look([])).tip).toBe(lsn + 1);
      await client.query('ROLLBACK');
    });
    await store.close();
  });

  test('nor do they while somebody commits', async () => {
    await asOwner(cluster, async (client) => {
      const config = await configWith(cluster, MIGRATIONS);
      await client.query('BEGIN; SELECT pg_current_xact_id()');
      const { seen, tips } = await lateCommit(config);
      expect([seen.length, tips]).toEqual([3, [2, 4]]);
      await client.query('ROLLBACK');
    });
  });

  test('a new epoch is another boot, and its numbers are larger than any that were given out before', async () => {
    const config = await configWith(cluster, MIGRATIONS);
    const store = await openPostgres(config);
    const before = await store.look([]);
    const lsn = await put(store, body({ k: 1 }));
    await asOwner(
      cluster,
      (client) => newEpoch(client, config.repository),
      new URL(config.url).pathname.slice(1),
    );
    const after = await store.look(['k']);
    expect(after.now.boot).not.toBe(before.now.boot);
    expect(after.get('k')).toBe(1);
    expect(await put(store, body({ k: 2 }))).toBeGreaterThan(lsn + 2 ** 31);
    await store.close();
  });

  test('loses its oldest records with time, and none of its states', async () => {
    const config = await configWith(cluster, mutated('IF random() < 0.002 THEN', 'IF true THEN'));
    const store = await openPostgres(config);
    await put(store, body({ k: 1 }));
    await put(store, body({ k: 2, j: 1 }));
    await asOwner(
      cluster,
      (client) => client.query('UPDATE guard.log SET at_ms = at_ms - 31 * 86400000::bigint WHERE lsn = 1'),
      new URL(config.url).pathname.slice(1),
    );
    await put(store, body({ j: 2 }));
    expect((await all(store)).map(({ s }) => s)).toEqual([{ k: 2, j: 1 }, { j: 2 }]);
    const look = await store.look(['k', 'j']);
    expect([look.get('k'), look.get('j')]).toEqual([2, 2]);
    await store.close();
  });

  test('is dated by the clock of the server, which never stands before the newest record', async () => {
    const config = await configWith(cluster, MIGRATIONS);
    const store: Store<'later'> = await openPostgres(config);
    await put(store, body({ k: 1 }));
    const ahead_ms = Date.now() + 3_600_000;
    const database = new URL(config.url).pathname.slice(1);
    await asOwner(cluster, (client) => client.query('UPDATE guard.log SET at_ms = $1', [ahead_ms]), database);
    const { now } = await store.look([]);
    expect(now.wall_ms).toBe(ahead_ms);
    expect(now.mono_ms).toBeGreaterThan(3_500_000);
    expect(now.mono_ms).toBeLessThan(3_700_000);
    await put(store, body({ k: 2 }));
    await asOwner(
      cluster,
      async (client) => {
        const { rows } = await client.query<{ at_ms: string }>('SELECT at_ms FROM guard.log ORDER BY lsn');
        expect(rows.map(({ at_ms }) => Number(at_ms))).toEqual([ahead_ms, ahead_ms]);
      },
      database,
    );
    await store.close();
  });
});
