/**
 * One server for all test files of a run, with one pooler in front of it: the first test that needs it starts it in the
 * run's shared directory (test/build.ts), and it ends with the run.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { admitRole, initRepository, migrate } from '../../../src/store/postgres/open.ts';
import { asOwner, type Cluster, PASSWORD, startCluster } from './cluster.ts';
import { makeCertificates } from './certificates.ts';
import { once, OWNER, RUN } from './once.ts';
import { type Pooler, startPooler } from './pooler.ts';

export const ROLE = 'agent_of_tests';

/** With the schema, and one role that agents log in as. */
export const sharedCluster = (): Promise<Cluster> =>
  once('postgres', async () => {
    const { server_key, server_cert } = makeCertificates(RUN);
    const cluster = await startCluster({
      owner: OWNER,
      settings: ['ssl=on'],
      files: { 'server.key': server_key, 'server.crt': server_cert },
    });
    await asOwner(cluster, async (client) => {
      await migrate(client);
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
    });
    await newRepository(cluster);
    return cluster;
  });

export const sharedPooler = async (): Promise<Pooler> => {
  const cluster = await sharedCluster();
  return once('pgbouncer', () => startPooler(cluster, OWNER));
};

export const urlOf = (
  { dir, port }: { readonly dir: string; readonly port: number },
  role = ROLE,
  database = 'postgres',
): string => `postgres://${role}@unused:${port}/${database}?host=${encodeURIComponent(dir)}`;

/** The certificate authority of this run's server. */
export const CA_FILE = `${RUN}/ca.crt`;

/** Over TCP, with the password. */
export const tcpUrl = (port: number, parameters: string, host = 'localhost', password = PASSWORD): string =>
  `postgres://${ROLE}:${encodeURIComponent(password)}@${host}:${port}/postgres?${parameters}`;

/** Creates a repository that the role may use; returns its id. */
export async function newRepository(cluster: Cluster, role = ROLE, database?: string): Promise<string> {
  return asOwner(cluster, (client) => addRepository(client, role), database);
}

/** Creates as many over one connection: each connection takes the server 10 ms of processor time. */
export const newRepositories = (cluster: Cluster, count: number): Promise<string[]> =>
  asOwner(cluster, async (client) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await addRepository(client, ROLE));
    return ids;
  });

async function addRepository(client: pg.Client, role: string): Promise<string> {
  const id = randomUUID();
  await initRepository(client, { id });
  await admitRole(client, id, role);
  return id;
}
