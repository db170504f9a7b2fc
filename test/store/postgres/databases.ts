/** Separate databases on the shared server, with other schemas or with a bug in theirs. */
import { randomBytes } from 'node:crypto';
import { type Migration, MIGRATIONS } from '../../../src/store/postgres/migrations/index.ts';
import { migrate, type PostgresConfig } from '../../../src/store/postgres/open.ts';
import { asOwner, type Cluster } from './cluster.ts';
import { newRepository, ROLE, urlOf } from './shared.ts';

export async function newDatabase(cluster: Cluster, migrations?: readonly Migration[]): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner(cluster, (client) => client.query(`CREATE DATABASE ${name}`));
  if (migrations !== undefined) await asOwner(cluster, (client) => migrate(client, migrations), name);
  return name;
}

/** The schema with a planted bug: `from` must occur exactly once in each migration that contains it, and in one at least. */
export function mutated(from: string, to: string): readonly Migration[] {
  const found = MIGRATIONS.map(({ sql }) => sql.split(from).length - 1);
  if (Math.max(...found) !== 1)
    throw new Error(`the mutation's place occurs ${found.join(', ')} times: ${from}`);
  return MIGRATIONS.map(({ version, sql }) => ({ version, sql: sql.replace(from, () => to) }));
}

/** A repository in a database with that schema. */
export async function configWith(
  cluster: Cluster,
  migrations: readonly Migration[],
): Promise<PostgresConfig> {
  const database = await newDatabase(cluster, migrations);
  return { url: urlOf(cluster, ROLE, database), repository: await newRepository(cluster, ROLE, database) };
}
