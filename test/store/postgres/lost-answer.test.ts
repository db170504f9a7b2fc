import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type PostgresConfig } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { all, failure, put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner } from './cluster.ts';
import { configWith, mutated } from './databases.ts';
import { hasPostgres } from './programs.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { newRepository, sharedCluster, tcpUrl } from './shared.ts';

describe.skipIf(!hasPostgres())('a commit whose answer is lost', () => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await openProxy(await sharedCluster());
  });
  afterAll(() => proxy.close());

  /** @param given a repository in another database */
  async function withStore(
    use: (store: Store<'later'>) => Promise<void>,
    given?: PostgresConfig,
  ): Promise<void> {
    const url = new URL(tcpUrl(proxy.port, 'sslmode=disable', '127.0.0.1'));
    if (given !== undefined) url.pathname = new URL(given.url).pathname;
    const repository = given?.repository ?? (await newRepository(await sharedCluster()));
    const store = await openPostgres({ url: url.href, repository, connections: 1, query_ms: 1_000 });
    try {
      await use(store);
    } finally {
      await store.close();
    }
  }

  test.each([
    ['answer', 'repeated'],
    ['silence', 'repeated'],
    ['question', 'done'],
  ] as const)('for want of its %s is in once, and told as such', async (how, verdict) => {
    await withStore(async (store) => {
      await put(store, body({ k: 0 }));
      const { tip } = await store.look(['k']);
      proxy.cut(how, 'commit_2');
      const cuts = proxy.cuts();
      const done = await store.commit({ tip, keys: new Map(), lists: [] }, [body({ k: 1 }), body({ j: 1 })]);
      expect(proxy.cuts()).toBe(cuts + 1);
      const records = await all(store);
      expect(records.map(({ s }) => s)).toEqual([{ k: 0 }, { k: 1 }, { j: 1 }]);
      expect(done).toEqual({ verdict, lsn: records[1]?.lsn });
    });
  });

  test('is in twice where the nonce is not looked for', async () => {
    const from = 'AND l.lsn > seen AND l.nonce = commit_2.nonce';
    const config = await configWith(await sharedCluster(), mutated(from, 'AND false'));
    await withStore(async (store) => {
      const { tip } = await store.look([]);
      proxy.cut('answer', 'commit_2');
      await store.commit({ tip, keys: new Map(), lists: [] }, [body({ k: 1 })]);
      expect((await all(store)).length).toBe(2);
    }, config);
  });

  test('a look is asked again, too', async () => {
    await withStore(async (store) => {
      await put(store, body({ k: 1 }));
      for (const how of ['answer', 'question', 'silence'] as const) {
        proxy.cut(how, 'look_2');
        expect((await store.look(['k'])).get('k')).toBe(1);
      }
    });
  });

  test('a server that stays away is told with host, port and time, and never with the password', async () => {
    const url = tcpUrl(1, 'sslmode=disable', '127.0.0.1');
    const opening = openPostgres({ url, repository: 'none', deadline_ms: 200 });
    const error = await opening.catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'GUARD_ERR_ENGINE_AWAY',
      facts: { host: '127.0.0.1', port: 1, state: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('p@ss');
  });

  test('what waits for a transaction that does not end is told to be busy', async () => {
    const cluster = await sharedCluster();
    const from = "SET lock_timeout = '4s'";
    const config = await configWith(cluster, mutated(from, "SET lock_timeout = '100ms'"));
    const store = await openPostgres(config);
    await put(store, body({ k: 1 }));
    await asOwner(
      cluster,
      async (client) => {
        await client.query('BEGIN; UPDATE guard.state SET ver = ver');
        expect(await failure(put(store, body({ k: 2 })))).toBe('GUARD_ERR_BUSY');
        await client.query('ROLLBACK');
      },
      new URL(config.url).pathname.slice(1),
    );
    await put(store, body({ k: 3 }));
    await store.close();
  });
});
