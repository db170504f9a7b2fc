import { beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/store/postgres/migrations/index.ts';
import { migrate, openPostgres } from '../../../src/store/postgres/open.ts';
import { get, put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster } from './cluster.ts';
import { configWith, newDatabase } from './databases.ts';
import { hasPostgres } from './programs.ts';
import { ROLE, sharedCluster, urlOf } from './shared.ts';

const NEXT_VERSION = SCHEMA_VERSION + 1;
/** What a later guard may bring: its own look next to the existing one, and then without that one. */
const LATER = [
  {
    version: NEXT_VERSION,
    sql: `ALTER TABLE guard.state ADD COLUMN hint text;
      CREATE FUNCTION guard.look_3(id uuid) RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT 'later' $$;
      GRANT EXECUTE ON FUNCTION guard.look_3 TO guard_agent`,
  },
  { version: NEXT_VERSION + 1, sql: 'DROP FUNCTION guard.look_2' },
];

describe.skipIf(!hasPostgres())('the schema of a shared ledger', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  const raise = (database: string, migrations = MIGRATIONS): Promise<number> =>
    asOwner(cluster, (client) => migrate(client, migrations), database);

  test('is made once, however many ask for it at the same time', async () => {
    const database = await newDatabase(cluster);
    const versions = await Promise.all([raise(database), raise(database), raise(database)]);
    expect(versions).toEqual([SCHEMA_VERSION, SCHEMA_VERSION, SCHEMA_VERSION]);
    const { rows } = await asOwner(
      cluster,
      (client) => client.query('SELECT version FROM guard.schema_version'),
      database,
    );
    expect(rows).toEqual(MIGRATIONS.map(({ version }) => ({ version })));
  });

  test('is as it was where a migration fails', async () => {
    const database = await newDatabase(cluster, MIGRATIONS);
    const broken = [...MIGRATIONS, { version: NEXT_VERSION, sql: 'CREATE TABLE guard.half (); SELECT 1/0' }];
    await expect(raise(database, broken)).rejects.toMatchObject({ code: '22012' });
    const { rows } = await asOwner(
      cluster,
      (client) => client.query(`SELECT to_regclass('guard.half') AS half`),
      database,
    );
    expect(rows).toEqual([{ half: null }]);
    expect(await raise(database)).toBe(SCHEMA_VERSION);
  });

  test('serves a guard of before and one of later side by side, and an older guard leaves a newer one as it is', async () => {
    const config = await configWith(cluster, MIGRATIONS);
    const database = new URL(config.url).pathname.slice(1);
    const store = await openPostgres(config);
    await put(store, body({ k: 1 }));
    expect(await raise(database, [...MIGRATIONS, ...LATER.slice(0, 1)])).toBe(NEXT_VERSION);
    await put(store, body({ k: 2 }));
    const another = await openPostgres(config);
    expect(await get(another, 'k')).toBe(2);
    expect(await raise(database)).toBe(NEXT_VERSION);

    await raise(database, [...MIGRATIONS, ...LATER]);
    const told = {
      code: 'GUARD_ERR_ENGINE_VERSION',
      facts: { schema: NEXT_VERSION + 1, known: SCHEMA_VERSION },
      hint: 'Update guard on this machine.',
    };
    await expect(store.look(['k'])).rejects.toMatchObject(told);
    await Promise.all([store.close(), another.close()]);
  });

  test('that is older, or not there, is told with what is to be run', async () => {
    const none = await newDatabase(cluster);
    const old = await configWith(cluster, MIGRATIONS.slice(0, -1));
    for (const config of [{ ...old, url: urlOf(cluster, ROLE, none) }, old]) {
      const error: unknown = await openPostgres(config).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'GUARD_ERR_ENGINE_VERSION', facts: { known: SCHEMA_VERSION } });
      expect((error as { hint: string }).hint).toContain('guard fleet migrate');
    }
  });
});
