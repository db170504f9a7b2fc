/** An upper bound for lock throughput: the whole policy in one SQL function, one query per operation. Not a real ledger. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ClientBase } from 'pg';
import { addressOf } from '../address.ts';
import { PlainClient } from '../plain-client.ts';

const schemaOf = (name: string, role: string): string => `
CREATE SCHEMA ${name};
GRANT USAGE ON SCHEMA ${name} TO ${role};
CREATE TABLE ${name}.leases(path text PRIMARY KEY, agent text, expires_at timestamptz, token bigint);
CREATE TABLE ${name}.log(seq bigserial PRIMARY KEY, at timestamptz DEFAULT clock_timestamp(), rec jsonb);
CREATE FUNCTION ${name}.acquire(a text, ttl_ms int, paths text[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE t bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${name}' || q.p, 0)) FROM (SELECT unnest(paths) p ORDER BY 1) q;
  PERFORM FROM ${name}.leases WHERE path = ANY(paths) AND agent <> a AND expires_at > clock_timestamp();
  IF FOUND THEN RETURN NULL; END IF;
  INSERT INTO ${name}.log(rec) VALUES (jsonb_build_object('op', 'acquire', 'a', a, 'paths', paths)) RETURNING seq INTO t;
  INSERT INTO ${name}.leases SELECT p, a, clock_timestamp() + make_interval(secs => ttl_ms / 1000.0), t FROM unnest(paths) p
    ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, expires_at = excluded.expires_at, token = excluded.token;
  RETURN t;
END $$;
CREATE FUNCTION ${name}.release(a text, paths text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${name}' || q.p, 0)) FROM (SELECT unnest(paths) p ORDER BY 1) q;
  INSERT INTO ${name}.log(rec) VALUES (jsonb_build_object('op', 'release', 'a', a, 'paths', paths));
  DELETE FROM ${name}.leases WHERE path = ANY(paths) AND agent = a;
END $$;`;

/** @returns the name of the schema */
export async function makeYardstick(owner: ClientBase, role: string): Promise<string> {
  const name = `guard_bench_${randomBytes(6).toString('hex')}`;
  await owner.query(schemaOf(name, pg.escapeIdentifier(role)));
  return name;
}

export async function dropYardstick(owner: ClientBase, name: string): Promise<void> {
  await owner.query(`DROP SCHEMA ${name} CASCADE`);
}

export interface LockWays {
  arrive?(agent: number): Promise<unknown>;
  /** Resolves to false if another agent has one of them. */
  acquire(agent: number, paths: readonly string[]): Promise<boolean>;
  release(agent: number, paths: readonly string[]): Promise<unknown>;
  end(): Promise<void>;
}

const TTL_MS = 600_000;

/** @param url address of a member of the role given to `makeYardstick` */
export function openYardstick(url: string, name: string, connections: number): LockWays {
  const pool = new pg.Pool({ ...addressOf(url), max: connections, Client: PlainClient });
  // Idle connections may break; the next query opens another.
  pool.on('error', () => undefined);
  return {
    async acquire(agent, paths) {
      const text = `SELECT ${name}.acquire($1, $2, $3) AS token`;
      const { rows } = await pool.query<{ token: string | null }>({
        ...{ name: 'acquire', text },
        values: [`a${agent}`, TTL_MS, paths],
      });
      return rows[0]?.token !== null;
    },
    release: (agent, paths) =>
      pool.query({ name: 'release', text: `SELECT ${name}.release($1, $2)`, values: [`a${agent}`, paths] }),
    end: () => pool.end(),
  };
}
