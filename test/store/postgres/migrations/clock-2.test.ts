/** Another server answers, whose clock is ahead of the one by which leases were granted. */
import { beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../../src/store/postgres/migrations/index.ts';
import { newEpoch } from '../../../../src/store/postgres/new-epoch.ts';
import { openPostgres } from '../../../../src/store/postgres/open.ts';
import { failure } from '../../contract/bench.ts';
import { body } from '../../contract/worker.ts';
import { asOwner, type Cluster } from '../cluster.ts';
import { configWith } from '../databases.ts';
import { machineOn } from '../machines.ts';
import { hasPostgres } from '../programs.ts';
import { newRepository, sharedCluster, urlOf } from '../shared.ts';

const TTL_MS = 300_000;
const AHEAD_MS = 22 * 60_000;

describe.skipIf(!hasPostgres())('a server whose clock is 22 minutes ahead', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  async function scene() {
    const repository = await newRepository(cluster);
    const store = await openPostgres({ url: urlOf(cluster), repository });
    const [A, B] = [
      machineOn(store, { id: 'm-a', ttl_ms: TTL_MS }),
      machineOn(store, { id: 'm-b', ttl_ms: TTL_MS }),
    ];
    return { repository, store, A, B, a: A.who('a'), b: B.who('b') };
  }

  /** As if everything so far had been recorded by a clock that is so far behind, on that server or another one. */
  const jump = (repository: string, server: 'same' | 'other') =>
    asOwner(cluster, async (client) => {
      const started = server === 'same' ? 'server' : `'2001-01-01'`;
      const sql = `UPDATE guard.repository SET epoch_ms = epoch_ms - $2, closed_ms = greatest(0, closed_ms - $2), server = ${started}
        WHERE id = $1 RETURNING repo`;
      const { rows } = await client.query<{ repo: number }>(sql, [repository, AHEAD_MS]);
      await client.query('UPDATE guard.log SET at_ms = at_ms - $2 WHERE repo = $1', [
        rows[0]?.repo,
        AHEAD_MS,
      ]);
    });

  test.each([
    ['that takes over, grants no lease that still counts', 'other', false],
    ['that has been there all along, cannot be noticed', 'same', true],
  ] as const)('%s', async (_what, server, is_granted) => {
    const { repository, store, A, B, a, b } = await scene();
    expect(await A.lock(a, 'f')).toBeGreaterThan(0);
    await jump(repository, server);
    expect((await B.lock(b, 'f')) !== null).toBe(is_granted);
    await store.close();
  });

  test('moves the clock once, however many ask at the same time, and leaves the time for people as it is', async () => {
    const { repository, store, A, a } = await scene();
    await A.lock(a, 'f');
    const before = await store.look([]);
    await jump(repository, 'other');
    const others = await Promise.all([1, 2, 3].map(() => openPostgres({ url: urlOf(cluster), repository })));
    const looks = await Promise.all([store, ...others].map((one) => one.look([])));
    for (const { now } of looks) {
      expect(now.mono_ms).toBeLessThan(before.now.mono_ms + 60_000);
      expect(Math.abs(now.wall_ms - Date.now())).toBeLessThan(60_000);
      expect(now.boot).toBe(before.now.boot);
    }
    await Promise.all([store, ...others].map((one) => one.close()));
  });

  test('commits nothing that was decided by the clock of the server before it', async () => {
    const { repository, store } = await scene();
    await store.commit({ tip: (await store.look([])).tip, keys: new Map(), lists: [] }, [body({ j: 1 })]);
    const { tip, now } = await store.look(['k']);
    await jump(repository, 'other');
    const read = { tip, keys: new Map([['k', 0]]), lists: [] };
    const moved = await store.commit(read, [body({ k: 1 })]);
    if (moved.verdict !== 'moved') throw new Error(moved.verdict);
    expect(moved.look.now.mono_ms).toBeLessThan(now.mono_ms + 60_000);
    expect(await store.commit(read, [body({ k: 1 })])).toMatchObject({ verdict: 'done' });
    await store.close();
  });

  test('stays closed for as long as was left after a restore', async () => {
    const { repository, store, A, a } = await scene();
    await asOwner(cluster, (client) => newEpoch(client, repository, TTL_MS));
    await jump(repository, 'other');
    expect(await failure(A.lock(a, 'f'))).toBe('GUARD_ERR_BUSY');
    await store.close();
  });

  test('begins a new epoch also in a database that was restored to before its migration', async () => {
    const { url, repository } = await configWith(cluster, MIGRATIONS.slice(0, 1));
    const database = new URL(url).pathname.slice(1);
    const epochs = (client: Parameters<Parameters<typeof asOwner>[1]>[0]) =>
      client.query<{ epoch: string }>('SELECT epoch FROM guard.repository WHERE id = $1', [repository]);
    const [old, now] = await asOwner(
      cluster,
      async (client) => {
        const { rows } = await epochs(client);
        await newEpoch(client, repository);
        return [rows[0]?.epoch, (await epochs(client)).rows[0]?.epoch];
      },
      database,
    );
    expect(now).not.toBe(old);
  });
});
