/** Measures a server's lock throughput for a fleet, alternately by guard's rules and by one SQL function. Loads the driver. */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import type { Policy } from '../../../core/types.ts';
import { withOwner } from '../owner.ts';
import { admitRole, dropRepository, initRepository, migrate } from '../migrate.ts';
import { openPostgres, type PostgresConfig } from '../open.ts';
import { Crowd, type Load, type Tally } from './load.ts';
import { byRules } from './rules.ts';
import { dropYardstick, makeYardstick, openYardstick } from './yardstick.ts';

export interface BenchPlan extends Load {
  readonly machines: number;
  readonly for_ms: number;
  readonly policy: Policy;
}

export interface BenchPlace {
  readonly owner_url: string;
  readonly address: Omit<PostgresConfig, 'repository'>;
  /** The role that logs in with that address. */
  readonly role: string;
}

export interface BenchFigures {
  readonly operations: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly refused: number;
  readonly doubled: number;
}

export interface BenchReport {
  readonly rules: BenchFigures;
  readonly one_function: BenchFigures;
  /** This machine's load average over the last minute. */
  readonly load: number;
}

const TURN_MS = 2_000;

const tenths = (value: number): number => Math.round(value * 10) / 10;

function figures({ took_ms, spent_ms, granted, released, refused, doubled }: Tally): BenchFigures {
  const sorted = took_ms.toSorted((a, b) => a - b);
  const at = (share: number): number => tenths(sorted[Math.floor(sorted.length * share)] ?? 0);
  const operations = granted + released + refused;
  const per_second = Math.round((operations * 1_000) / Math.max(spent_ms, 1));
  return { operations, per_second, p50_ms: at(0.5), p99_ms: at(0.99), refused, doubled };
}

/** Uses a temporary repository and schema, which are removed afterwards. @throws GuardError as `asOwner` does */
export const runBench = ({ owner_url, address, role }: BenchPlace, plan: BenchPlan): Promise<BenchReport> =>
  withOwner(owner_url, async (owner) => {
    await migrate(owner);
    const repository = randomUUID();
    await initRepository(owner, { id: repository });
    const schema = await makeYardstick(owner, role);
    try {
      await admitRole(owner, repository, role);
      const { connections } = plan;
      const store = await openPostgres({ ...address, repository, connections, deadline_ms: 60_000 });
      const rules = new Crowd(plan, byRules(store, plan));
      const yardstick = openYardstick(address.url, schema, connections);
      const sql = new Crowd(plan, yardstick);
      await Promise.all([rules.arrive(), sql.arrive()]);
      for (let left_ms = plan.for_ms; left_ms > 0; left_ms -= TURN_MS) {
        await rules.work(Math.min(left_ms, TURN_MS));
        await sql.work(Math.min(left_ms, TURN_MS));
      }
      await Promise.all([store.close(), yardstick.end()]);
      return {
        rules: figures(rules.tally),
        one_function: figures(sql.tally),
        load: tenths(loadavg()[0] ?? 0),
      };
    } finally {
      await dropYardstick(owner, schema);
      await dropRepository(owner, repository);
    }
  });
