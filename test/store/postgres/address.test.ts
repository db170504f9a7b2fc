import { beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster } from './cluster.ts';
import { hasPooler, hasPostgres } from './programs.ts';
import { CA_FILE, newRepository, sharedCluster, sharedPooler, tcpUrl, urlOf } from './shared.ts';

const errorOf = (url: string, repository = 'none'): Promise<unknown> =>
  openPostgres({ url, repository, deadline_ms: 300 }).then(
    (store) => store.close(),
    (error: unknown) => error,
  );

describe('an address of a shared ledger', () => {
  test.each([
    ['no address at all', 'no such thing'],
    ['another protocol', 'mysql://me@host/db'],
    ['no user', 'postgres://host/db'],
    ['no database', 'postgres://me@host'],
    ['a mode that believes any server', 'postgres://me@host/db?sslmode=require'],
    ['a mode that asks for no name', 'postgres://me@host/db?sslmode=verify-ca'],
    ['an authority that is not there', 'postgres://me:secret@host/db?sslrootcert=/nowhere'],
  ])('with %s is refused before anybody is asked', async (_what, url) => {
    const error = await errorOf(url);
    expect(error).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    expect(String(error)).not.toContain('secret');
  });
});

describe.skipIf(!hasPostgres())('a server with a password and a certificate', () => {
  let cluster: Cluster;
  let repository = '';
  beforeAll(async () => {
    cluster = await sharedCluster();
    repository = await newRepository(cluster);
  });

  test('is believed by its name and authority, and asked for by SCRAM', async () => {
    const store = await openPostgres({ url: tcpUrl(cluster.port, `sslrootcert=${CA_FILE}`), repository });
    await put(store, body({ k: 1 }));
    const { rows } = await asOwner(cluster, (client) =>
      client.query(
        `SELECT bool_and(s.ssl) AS ssl, min(left(a.rolpassword, 13)) AS kind FROM pg_stat_activity p JOIN pg_stat_ssl s USING (pid)
          JOIN pg_authid a ON a.oid = p.usesysid WHERE p.client_addr IS NOT NULL AND p.application_name = 'guard' AND s.ssl`,
      ),
    );
    expect(rows).toEqual([{ ssl: true, kind: 'SCRAM-SHA-256' }]);
    await store.close();
  });

  test.each([
    ['that nobody vouches for', () => tcpUrl(cluster.port, '')],
    ['of another name', () => tcpUrl(cluster.port, `sslrootcert=${CA_FILE}`, '127.0.0.1')],
    ['that wants another password', () => tcpUrl(cluster.port, 'sslmode=disable', '127.0.0.1', 'guessed')],
    ['without that database', () => urlOf(cluster, 'agent_of_tests', 'nowhere')],
  ])('is refused, or refuses: one %s', async (_what, url) => {
    const error = await errorOf(url(), repository);
    expect(error).toMatchObject({ code: 'GUARD_ERR_ENGINE_ACCESS', facts: { port: cluster.port } });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/p@ss|guessed/);
  });

  test('what the environment says of servers does not count', async () => {
    const said = {
      PGSSLMODE: 'disable',
      PGHOST: 'nowhere',
      PGPORT: '1',
      PGOPTIONS: '-c default_transaction_isolation=serializable',
    };
    Object.assign(process.env, said);
    try {
      const store = await openPostgres({ url: tcpUrl(cluster.port, `sslrootcert=${CA_FILE}`), repository });
      await put(store, body({ k: 2 }));
      await store.close();
      expect(await errorOf(tcpUrl(cluster.port, ''), repository)).toMatchObject({
        code: 'GUARD_ERR_ENGINE_ACCESS',
      });
    } finally {
      for (const name of Object.keys(said)) Reflect.deleteProperty(process.env, name);
    }
  });

  test.skipIf(!hasPooler())('one that has no certificate is not talked to without one', async () => {
    const { port } = await sharedPooler();
    expect(await errorOf(tcpUrl(port, ''), repository)).toMatchObject({ code: 'GUARD_ERR_ENGINE_ACCESS' });
  });
});
