/** A reported commit is on the standby, even if its first answer was lost with the server and it was retried. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate, openPostgres } from '../../../src/store/postgres/open.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster, haltCluster, startAgain, startCluster, stopCluster } from './cluster.ts';
import { machineOn } from './machines.ts';
import { hasClients } from './programs.ts';
import { newRepository, ROLE, urlOf } from './shared.ts';
import { FOLLOWED, startStandby } from './standby.ts';

async function primaryAndStandby() {
  const primary = await startCluster({ hba: FOLLOWED });
  onTestFinished(() => stopCluster(primary));
  await asOwner(primary, async (client) => {
    await migrate(client);
    await client.query(`CREATE ROLE ${ROLE} LOGIN`);
  });
  const repository = await newRepository(primary);
  const standby = await startStandby(primary);
  onTestFinished(() => stopCluster(standby));
  await asOwner(primary, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
  });
  const config = { url: urlOf(primary), repository, query_ms: 2_000, deadline_ms: 12_000 };
  const store = await openPostgres(config);
  onTestFinished(() => store.close());
  return { primary, standby, store };
}

/** The number of commits waiting for the standby. */
const waitingOn = (primary: Cluster) => () =>
  asOwner(primary, async (client) => {
    const { rows } = await client.query(`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
    return rows.length;
  });

describe.skipIf(!hasClients())('a commit that a standby has not received', () => {
  test('is not told as a lock that one has already, from a look alone', async () => {
    const { primary, standby, store } = await primaryAndStandby();
    const here = machineOn(store, { id: 'm-a', ttl_ms: 600_000 });
    expect(await here.lock(here.who('a'), 'first')).toBeGreaterThan(0);
    await haltCluster(standby);
    const told = here.lock(here.who('a'), 'f').catch(() => 'not known');
    await expect.poll(waitingOn(primary), { timeout: 5_000 }).toBe(1);
    await haltCluster(primary);
    await startAgain(primary);
    expect(await told).toBe('not known');
    const again = await here
      .lock(here.who('a'), 'f')
      .catch((error: unknown) => (error as { code: string }).code);
    expect(again).toMatch(/^GUARD_ERR_(?:BUSY|ENGINE_AWAY)$/);
    await startAgain(standby);
    expect(await here.lock(here.who('a'), 'f')).toBeGreaterThan(0);
    expect((await here.begin(here.who('a'), 'f')).verdict).toBe('approved');
  }, 120_000);

  test('is not told as done when it is asked again of a server that crashed meanwhile', async () => {
    const { primary, standby, store } = await primaryAndStandby();
    const read = (tip: number) => ({ tip, keys: new Map([['k', 0]]), lists: [] });
    await store.commit({ ...read(await store.tip()), keys: new Map() }, [body({ first: 1 })]);

    await haltCluster(standby);
    const told = store.commit(read(await store.tip()), [body({ k: 1 })]).then(
      (done) => done.verdict,
      (error: unknown) => (error as { code: string }).code,
    );
    await expect.poll(waitingOn(primary), { timeout: 5_000 }).toBe(1);
    await haltCluster(primary);
    await startAgain(primary);
    expect(await told).toMatch(/^GUARD_ERR_(?:BUSY|ENGINE_AWAY)$/);
    await startAgain(standby);
    expect(await store.commit(read(await store.tip()), [body({ k: 2 })])).toMatchObject({ verdict: 'moved' });
  }, 90_000);
});
