/** What the owner does after the database was restored to an earlier point: see new_epoch_1 in migrations/keeping.ts, and clock-2.ts. */
import type { ClientBase } from 'pg';
import { inTransaction } from './migrate.ts';

/** More than are given out between two backups: a thousand per second for a month and a half. */
const LEAP = 2 ** 32;

/** Numbers per millisecond: more than are given out. After two restores to the same backup, only the clock says which is newer. */
const LSNS_PER_MS = 32;

/** After a restore to an earlier point: earlier leases count as from another boot, and every new token is larger than theirs. */
export async function newEpoch(client: ClientBase, id: string, closed_for_ms = 0): Promise<void> {
  const { lsn = 0, now_ms = 0, name = '' } = await within<Newest>(client, id, NEWEST);
  const leap = Math.max(LEAP, Math.floor(now_ms) * LSNS_PER_MS - lsn);
  await client.query(`SELECT guard.${name}($1, $2, $3)`, [id, leap, closed_for_ms]);
}

interface Newest {
  readonly lsn: number;
  readonly now_ms: number;
  /** Of the newest function that a database restored to before a migration has. */
  readonly name: string;
}

const NEWEST = `SELECT coalesce(max(l.lsn), 0)::float8 AS lsn, guard.clock_ms()::float8 AS now_ms,
  CASE WHEN to_regproc('guard.new_epoch_2') IS NULL THEN 'new_epoch_1' ELSE 'new_epoch_2' END AS name
  FROM guard.repository p LEFT JOIN guard.log l ON l.repo = p.repo WHERE p.id = $1`;

/** How long nothing is committed. */
export interface Closing {
  readonly closed_for_ms: number;
  /** If machines of a repository announced a longer sign of life, close for that long. */
  readonly or_longer: boolean;
}

export interface Closed {
  readonly repositories: number;
  /** The longest closing time of all repositories. */
  readonly closed_for_ms: number;
}

/** Starts a new epoch in every repository of the database. */
export async function newEpochs(client: ClientBase, { closed_for_ms, or_longer }: Closing): Promise<Closed> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM guard.repository ORDER BY repo');
  let longest_ms = closed_for_ms;
  for (const { id } of rows) {
    const own_ms = or_longer ? Math.max(closed_for_ms, await longestSign(client, id)) : closed_for_ms;
    longest_ms = Math.max(longest_ms, own_ms);
    await newEpoch(client, id, own_ms);
  }
  return { repositories: rows.length, closed_for_ms: longest_ms };
}

/** No one relies on a lease for longer than the validity of a machine's last sign of life. */
const LONGEST_SIGN = `SELECT max((s.state::json->>'ttl_ms')::bigint)::float8 AS ttl_ms FROM guard.repository p, guard.state s
  WHERE p.id = $1 AND s.repo = p.repo AND s.key >= convert_to('machine:', 'UTF8') AND s.key < convert_to('machine;', 'UTF8')`;

const longestSign = async (client: ClientBase, id: string): Promise<number> =>
  (await within<{ ttl_ms: number | null }>(client, id, LONGEST_SIGN)).ttl_ms ?? 0;

/** The first row of a query about one repository. */
const within = <Row extends object>(client: ClientBase, id: string, query: string): Promise<Partial<Row>> =>
  inTransaction(client, async () => {
    // What a repository has is only visible after entering it.
    await client.query('SELECT guard.enter($1)', [id]);
    const { rows } = await client.query<Row>(query, [id]);
    return rows[0] ?? {};
  });
