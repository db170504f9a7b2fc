import { expect, test } from 'vitest';
import { migrate, openPostgres } from '../../src/store/postgres/open.ts';
import { all } from '../store/contract/bench.ts';
import { asOwner, type Cluster } from '../store/postgres/cluster.ts';
import { startPooler } from '../store/postgres/pooler.ts';
import { hasClients, hasPooler } from '../store/postgres/programs.ts';
import { newRepository, ROLE, urlOf } from '../store/postgres/shared.ts';
import { type Failover, trouble } from './engine-faults.ts';
import { actByModel, actByRules, doubled, type Heard, type SeenAt } from './fault-workers.ts';
import { startPair } from './pair.ts';
import { seeded } from './random.ts';
import { judgeShared } from './shared-storm.ts';
import { openWire } from './wire.ts';

const FAULTS = Number(process.env['GUARD_ENGINE_FAULTS'] ?? 18);
const SLOW_MS = Number(process.env['GUARD_ENGINE_SLOW_MS'] ?? 1_200);
const WORKERS = 4;

/** Refused for a commit that was on the primary alone, and was lost with it. A refusal grants nothing, so it does not wait. */
const isOfLost = (failovers: readonly Failover[], { answer, versions, at_ms: told_ms }: SeenAt): boolean =>
  !answer.granted &&
  failovers.some(
    ({ at_ms, kept }) => told_ms < at_ms && versions.some(([, version]) => version > 0 && !kept.has(version)),
  );

test.skipIf(!hasPooler() || !hasClients())(
  'a shared ledger whose wires, backends, pooler and primary fail grants nothing twice and loses nothing that it acknowledged',
  { timeout: 120_000 + FAULTS * 2_000 },
  async () => {
    let repository = '';
    const prepare = async (primary: Cluster): Promise<void> => {
      await asOwner(primary, async (client) => {
        await migrate(client);
        await client.query(`CREATE ROLE ${ROLE} LOGIN`);
      });
      repository = await newRepository(primary);
    };
    const pair = await startPair(prepare);
    const random = seeded(FAULTS);
    const wires = [await openWire(pair.primary().port, random), await openWire(pair.primary().port, random)];
    const [near, far] = wires.map(({ port }) => port);
    const pooler = await startPooler({ dir: '127.0.0.1', port: far ?? 0, pid: 0 }, process.pid);
    const limits = { repository, connections: 1, query_ms: SLOW_MS - 200, deadline_ms: 20_000 };
    const direct = { ...limits, url: `postgres://${ROLE}@127.0.0.1:${near}/postgres?sslmode=disable` };
    const pooled = { ...limits, url: urlOf(pooler), direct_url: direct.url, pooled: true };

    const heard: Heard = { told: [], grants: [], unanswered: new Map(), failures: [], slept: 0 };
    let isOver = false;
    const toils = Array.from({ length: WORKERS }, (_, nth) => {
      const toil = { config: nth % 2 === 0 ? direct : pooled, nth, heard, isOver: () => isOver };
      return [actByModel(toil), actByRules(toil)];
    }).flat();
    const failovers: Failover[] = [];
    const faults = await trouble({ pair, wires, role: ROLE, slow_ms: SLOW_MS, random, failovers }, FAULTS);
    isOver = true;
    await Promise.all(toils);

    const store = await openPostgres({ url: urlOf(pair.primary()), repository });
    const { verdicts, records } = await judgeShared(
      store,
      heard.told.filter((one) => !isOfLost(failovers, one)),
    );
    const granted = new Set(
      (await all(store)).filter(({ type }) => type === 'hold').map(({ token }) => token),
    );
    const lost = heard.grants.filter(({ token }) => !granted.has(token));
    await store.close();
    for (const wire of wires) wire.close();
    await pair.stop();
    const figures = {
      ...{ faults, records, acts: heard.told.length, grants: heard.grants.length, slept: heard.slept },
      unanswered: Object.fromEntries(heard.unanswered),
    };
    if (process.env['GUARD_CHAOS_REPORT'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect({ failures: heard.failures, verdicts, lost, doubled: doubled(heard.grants) }).toEqual({
      ...{ failures: [], verdicts: [], lost: [], doubled: [] },
    });
    expect(Object.keys(faults)).toHaveLength(9);
    // Little gets done while an engine is slow for 5 s.
    expect(heard.told.length).toBeGreaterThan(FAULTS / 2);
    expect(heard.grants.length).toBeGreaterThan(FAULTS / 5);
  },
);
