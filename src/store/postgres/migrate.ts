/** What the owner does: the schema, the repositories, and who may use them. Agents' roles can do none of this. */
import type { ClientBase } from 'pg';
import { MIGRATIONS, type Migration } from './migrations/index.ts';

/** Allows one migration at a time per database. Any number that no repository's locks use. */
const LOCK = 7_235_419_021;

const ROLES = ['guard_owner', 'guard_agent']
  .map(
    (role) => `IF to_regrole('${role}') IS NULL THEN
      BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END; END IF;`,
  )
  .join('\n');

/** The migrating role is a superuser, or may create roles and then becomes a member of the owner. */
const PREPARE = `DO $$ BEGIN
${ROLES}
IF NOT pg_has_role(current_user, 'guard_owner', 'USAGE') THEN EXECUTE 'GRANT guard_owner TO ' || quote_ident(current_user); END IF;
END $$;
-- Without it nothing is known of standbys.
DO $$ BEGIN GRANT pg_read_all_stats TO guard_owner; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
CREATE SCHEMA IF NOT EXISTS guard AUTHORIZATION guard_owner;
SET LOCAL ROLE guard_owner;
CREATE TABLE IF NOT EXISTS guard.schema_version (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`;

export async function inTransaction<T>(client: ClientBase, use: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const done = await use();
    await client.query('COMMIT');
    return done;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Brings the schema of the database to the newest version that this guard knows; a newer one is left unchanged.
 * @param client of a superuser, or of a role with CREATEROLE that may create schemas in the database
 * @returns the resulting version
 */
export const migrate = (client: ClientBase, migrations: readonly Migration[] = MIGRATIONS): Promise<number> =>
  inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(PREPARE);
    const { rows } = await client.query<{ version: number }>('SELECT version FROM guard.schema_version');
    const there = new Set(rows.map(({ version }) => version));
    const due = migrations.filter(({ version }) => version > Math.max(0, ...there));
    for (const { version, sql } of due) {
      await client.query(sql);
      await client.query('INSERT INTO guard.schema_version (version) VALUES ($1)', [version]);
    }
    return Math.max(...there, ...due.map(({ version }) => version));
  });

/** An agent that hangs delays others by at most this long. */
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;
const LIMIT_MS = 10_000;

export interface NewRepository {
  /** A UUID. */
  readonly id: string;
  /** Larger than every token that was given out before the repository moved here. Default: a repository without a past. */
  readonly first_lsn?: number;
}

/** Creates a repository with its row, numbers and epoch. Fails if the id exists. */
export async function initRepository(
  client: ClientBase,
  { id, first_lsn = 1 }: NewRepository,
): Promise<void> {
  await client.query('SELECT guard.create_repository_1($1, $2)', [id, first_lsn]);
}

/** Lets a login role use a repository, and nothing else in the schema. */
export const admitRole = (client: ClientBase, id: string, role: string): Promise<void> =>
  inTransaction(client, async () => {
    const name = client.escapeIdentifier(role);
    await client.query('SELECT guard.admit_1($1, $2)', [id, role]);
    // Roles are shared by all databases, and concurrent changes of one fail.
    const { rows } = await client.query<{ is_agent: boolean }>(
      `SELECT pg_has_role($1, 'guard_agent', 'MEMBER') AS is_agent`,
      [role],
    );
    if (rows[0]?.is_agent === true) return;
    await client.query(`GRANT guard_agent TO ${name}`);
    for (const limit of LIMITS) await client.query(`ALTER ROLE ${name} SET ${limit} = ${LIMIT_MS}`);
  });

/** Deletes a repository with everything in it. */
export async function dropRepository(client: ClientBase, id: string): Promise<void> {
  await client.query('SELECT guard.drop_repository_1($1)', [id]);
}
