/** A database that was restored to an earlier state, on a server whose transaction ids start elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEpoch, newEpochs } from '../../../src/store/postgres/new-epoch.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { all, failure } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster, startCluster, stopCluster } from './cluster.ts';
import { newDatabase } from './databases.ts';
import { machineOn } from './machines.ts';
import { BIN, hasClients, hasPostgres, runAsUser } from './programs.ts';
import { newRepository, ROLE, sharedCluster, urlOf } from './shared.ts';
import { MIGRATIONS } from '../../../src/store/postgres/migrations/index.ts';

const TTL_MS = 1_500;
const at = ({ dir, port }: Cluster): string[] => ['-h', dir, '-p', String(port), '-U', 'postgres'];

function backUp(cluster: Cluster, database: string): string {
  const file = `${cluster.dir}/${database}.dump`;
  runAsUser(`${BIN}/pg_dump`, [...at(cluster), '-Fc', '-f', file, database]);
  return file;
}

const putBack = (cluster: Cluster, database: string, file: string): string =>
  runAsUser(`${BIN}/pg_restore`, [...at(cluster), '-e', '-d', database, file]);

const ROLES = `CREATE ROLE guard_owner; CREATE ROLE guard_agent; CREATE ROLE ${ROLE} LOGIN; GRANT guard_agent TO ${ROLE}`;

describe.skipIf(!hasPostgres())('a shared ledger that was put back to an older moment', () => {
  let elsewhere: Cluster;
  beforeAll(async () => {
    elsewhere = await startCluster();
    await asOwner(elsewhere, (client) => client.query(ROLES));
  });
  afterAll(() => stopCluster(elsewhere));

  const machines = (store: Store<'later'>) => {
    const [A, B] = [
      machineOn(store, { id: 'm-a', ttl_ms: TTL_MS }),
      machineOn(store, { id: 'm-b', ttl_ms: TTL_MS }),
    ];
    return { A, B, a: A.who('a'), b: B.who('b'), c: A.who('c'), d: B.who('d') };
  };

  test.skipIf(!hasClients())(
    'voids what was granted since, grants nothing until that has ended, and never gives a token twice',
    async () => {
      const cluster = await sharedCluster();
      const database = await newDatabase(cluster, MIGRATIONS);
      const repository = await newRepository(cluster, ROLE, database);
      const store = await openPostgres({ url: urlOf(cluster, ROLE, database), repository });
      const before = machines(store);
      await before.A.lock(before.a, 'f');
      await before.A.lock(before.c, 'h');
      const file = backUp(cluster, database);
      // What the restored database will not know.
      await before.A.release(before.a, 'f');
      const forgotten = Number(await before.B.lock(before.b, 'f', 'g'));
      const judged = await store.look(['path:f', 'path:new']);
      await store.close();

      putBack(elsewhere, 'postgres', file);
      const closing = { closed_for_ms: TTL_MS, or_longer: false };
      expect(await asOwner(elsewhere, (client) => newEpochs(client, closing))).toMatchObject({
        repositories: 1,
      });
      const begun_ms = performance.now();
      const restored = await openPostgres({ url: urlOf(elsewhere, ROLE), repository });
      const after = machines(restored);
      // b may rely on its lease until its ttl has passed: no other agent gets it, on any machine.
      expect(await failure(after.A.lock(after.a, 'f'))).toBe('GUARD_ERR_BUSY');
      expect(await failure(after.B.lock(after.d, 'g'))).toBe('GUARD_ERR_BUSY');
      await sleep(TTL_MS - (performance.now() - begun_ms) + 50);

      // A late writer whose lease the ledger does not know, and one that looked before the restore.
      const late = await after.B.begin(after.b, 'f');
      expect(late.verdict).toBe('denied');
      const read = { tip: judged.tip, keys: new Map([['path:new', 0]]), lists: [] };
      expect(await restored.commit(read, [body({ 'path:new': 1 })])).toMatchObject({ verdict: 'moved' });
      const granted = Number(await after.B.lock(after.d, 'f', 'g', 'h'));
      expect(granted).toBeGreaterThan(forgotten + 2 ** 31);
      expect(await after.A.lock(after.a, 'f')).toBe(null);
      expect((await after.A.begin(after.c, 'h')).verdict).toBe('denied');
      const records = await all(restored);
      expect(records.map(({ lsn }) => lsn)).toEqual(records.map(({ lsn }) => lsn).toSorted((x, y) => x - y));
      expect(records.at(-1)?.lsn).toBeGreaterThanOrEqual(granted);
      await restored.close();
    },
  );

  test('is closed for as long as machines of each repository gave signs of life, whoever says it', async () => {
    const cluster = await sharedCluster();
    const database = await newDatabase(cluster, MIGRATIONS);
    const [short, long] = [
      await newRepository(cluster, ROLE, database),
      await newRepository(cluster, ROLE, database),
    ];
    const store = await openPostgres({ url: urlOf(cluster, ROLE, database), repository: long });
    const slow = machineOn(store, { id: 'm-a', ttl_ms: 600_000 });
    await slow.lock(slow.who('a'), 'f');
    const closing = { closed_for_ms: 0, or_longer: true };
    const closed = await asOwner(cluster, (client) => newEpochs(client, closing), database);
    expect(closed).toEqual({ repositories: 2, closed_for_ms: 600_000 });
    expect(await failure(slow.lock(slow.who('b'), 'f'))).toBe('GUARD_ERR_BUSY');
    await store.close();
    const other = await openPostgres({ url: urlOf(cluster, ROLE, database), repository: short });
    const quick = machineOn(other, { id: 'm-a', ttl_ms: TTL_MS });
    expect(await quick.lock(quick.who('a'), 'f')).toBeGreaterThan(0);
    await other.close();
  });

  test('twice to the same one has larger tokens the second time', async () => {
    const cluster = await sharedCluster();
    const tokens: number[] = [];
    for (const repository of [await newRepository(cluster), await newRepository(cluster)]) {
      await asOwner(cluster, (client) => newEpoch(client, repository));
      const store = await openPostgres({ url: urlOf(cluster), repository });
      const here = machineOn(store, { id: 'm-a', ttl_ms: TTL_MS });
      tokens.push(Number(await here.lock(here.who('a'), 'f')));
      await store.close();
    }
    expect(tokens[1]).toBeGreaterThan(tokens[0] ?? Infinity);
  });

  test('draws its numbers behind those of a clone that joins at the same time', async () => {
    const cluster = await sharedCluster();
    const repository = await newRepository(cluster);
    await asOwner(cluster, async (joining) => {
      await joining.query('BEGIN');
      await joining.query('SELECT guard.leap_1($1, 5000)', [repository]);
      const begun = asOwner(cluster, (client) => newEpoch(client, repository));
      const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%guard.new_epoch_%'`;
      await expect
        // On a separate connection, because within one transaction the first answer would repeat.
        .poll(() => asOwner(cluster, async (it) => (await it.query<{ n: number }>(waiting)).rows[0]?.n), {
          timeout: 5_000,
        })
        .toBe(1);
      await joining.query('COMMIT');
      await begun;
    });
  });

  test.skipIf(!hasClients())('that nobody said so of would give a token twice', async () => {
    const cluster = await sharedCluster();
    const database = await newDatabase(cluster, MIGRATIONS);
    const repository = await newRepository(cluster, ROLE, database);
    const config = { url: urlOf(cluster, ROLE, database), repository };
    const file = backUp(cluster, database);
    const store = await openPostgres(config);
    const { A, a } = machines(store);
    const first = await A.lock(a, 'f');
    await store.close();
    const again = await newDatabase(cluster);
    putBack(cluster, again, file);
    const restored = await openPostgres({ url: urlOf(cluster, ROLE, again), repository });
    const { B, b } = machines(restored);
    expect(await B.lock(b, 'f')).toBe(first);
    await restored.close();
  });
});
