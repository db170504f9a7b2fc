import { beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/postgres/migrations/index.ts';
import { openPostgres, type PostgresConfig } from '../../src/store/postgres/open.ts';
import { asOwner, type Cluster } from '../store/postgres/cluster.ts';
import { configWith, mutated } from '../store/postgres/databases.ts';
import { hasPostgres } from '../store/postgres/programs.ts';
import { newRepository, sharedCluster, urlOf } from '../store/postgres/shared.ts';
import { judgeShared, sharedStorm } from './shared-storm.ts';
import type { Verdict } from './judge.ts';
import type { Seen } from './seen.ts';
import { work } from './shared-worker.ts';

const KILLS = Number(process.env['GUARD_SHARED_KILLS'] ?? 6);
/** A separate role, so that only these connections are ended. */
const ROLE = 'agent_in_a_storm';
const ROUNDS = Number(process.env['GUARD_SHARED_ROUNDS'] ?? 60);

describe.skipIf(!hasPostgres())('a shared ledger', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  test(
    'whose writers and connections are killed at random moments loses no grant and no release, and never has two holders',
    { timeout: 60_000 + KILLS * 1_000 },
    async () => {
      await asOwner(cluster, async (owner) => {
        await owner.query(`CREATE ROLE ${ROLE} LOGIN`);
        const repository = await newRepository(cluster, ROLE);
        const config = { url: urlOf(cluster, ROLE), repository };
        const report = await sharedStorm({ config, kills: KILLS, workers: 6, owner, role: ROLE });
        expect({ failures: report.failures, verdicts: report.verdicts }).toEqual({
          failures: [],
          verdicts: [],
        });
        expect(report.kills).toBeGreaterThanOrEqual(KILLS);
        expect(report.ended).toBeGreaterThan(0);
        expect(report.acknowledged).toBeGreaterThan(report.kills);
        if (process.env['GUARD_CHAOS_REPORT'] !== undefined)
          process.stdout.write(`${JSON.stringify(report)}\n`);
      });
    },
  );

  /** Writers in this process, each on its own connection. */
  async function raced(config: PostgresConfig): Promise<readonly Verdict[]> {
    const told: Seen[] = [];
    const agents = Array.from({ length: 8 }, (_, at) => ({
      config,
      agent: `a${at}`,
      seed: 1 + at * 7919,
      rounds: ROUNDS,
    }));
    await Promise.all(agents.map((one) => work(one, (line) => void told.push(line))));
    const store = await openPostgres(config);
    const { verdicts } = await judgeShared(store, told);
    await store.close();
    return verdicts;
  }

  test('is not blamed as it is', async () => {
    expect(await raced(await configWith(cluster, MIGRATIONS))).toEqual([]);
  });

  test.each([
    ['versions are not compared', 'WHERE coalesce(s.ver, 0) <> u.v)', 'WHERE false)'],
    ['nothing is locked', ') q GROUP BY q.h ORDER BY q.h', ') q WHERE false GROUP BY q.h ORDER BY q.h'],
    ['what is written is locked as what is read', 'CASE WHEN o.x THEN', 'CASE WHEN false THEN'],
  ])('in which %s is caught', { retry: 4 }, async (_what, from, to) => {
    expect(await raced(await configWith(cluster, mutated(from, to)))).not.toEqual([]);
  });
});
