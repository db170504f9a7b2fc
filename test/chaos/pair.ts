/** A primary and the standby that its commits wait for; either may take the other's place. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner, type Cluster, startCluster, stopCluster } from '../store/postgres/cluster.ts';
import { FOLLOWED, startStandby } from '../store/postgres/standby.ts';

export interface Pair {
  primary(): Cluster;
  standby(): Cluster;
  /** Stops the standby from receiving until the returned function is called. */
  freeze(): Promise<() => void>;
  /** The primary dies, its standby takes over and gets its own. @param promoted called as soon as there is a primary */
  failOver(promoted: (primary: Cluster) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const TRUSTED = ['host all all 127.0.0.1/32 trust'];
/** A dead peer is noticed soon. */
const SETTINGS = ['wal_receiver_timeout=5s', 'wal_retrieve_retry_interval=200ms'];

async function untilInStep(primary: Cluster, standby: Cluster): Promise<void> {
  const asked = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`;
  for (let tries = 0; tries < 200; tries++) {
    if ((await asOwner(primary, (client) => client.query(asked))).rowCount === 1) return;
    await sleep(50);
  }
  throw new Error(
    `the standby does not come into step: ${readFileSync(`${standby.dir}/log`, 'utf8').slice(-2000)}`,
  );
}

async function untilGone({ pid }: Cluster): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (!existsSync(`/proc/${pid}`)) return;
    await sleep(20);
  }
  throw new Error('the primary does not die');
}

/** A server that takes over acknowledges nothing before it has a standby itself. */
const FOLLOWING = [...SETTINGS, 'synchronous_standby_names=*'];

/** @param prepare runs on the primary before its commits wait for a standby */
export async function startPair(prepare: (primary: Cluster) => Promise<void>): Promise<Pair> {
  let primary = await startCluster({ hba: [...FOLLOWED, ...TRUSTED], settings: SETTINGS });
  await prepare(primary);
  let standby = await startStandby(primary, FOLLOWING);
  await asOwner(primary, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
  });
  await untilInStep(primary, standby);
  return {
    primary: () => primary,
    standby: () => standby,
    async freeze() {
      const { rows } = await asOwner(standby, (client) =>
        client.query<{ pid: number }>('SELECT pid FROM pg_stat_wal_receiver'),
      );
      const pid = rows[0]?.pid;
      if (pid === undefined) return () => undefined;
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
    async failOver(promoted) {
      const former = primary;
      process.kill(former.pid, 'SIGQUIT');
      await untilGone(former);
      await asOwner(standby, (client) => client.query('SELECT pg_promote(true, 60)'));
      primary = standby;
      await promoted(primary);
      rmSync(former.dir, { recursive: true, force: true });
      standby = await startStandby(primary, FOLLOWING);
      await untilInStep(primary, standby);
    },
    async stop() {
      await stopCluster(standby);
      await stopCluster(primary);
    },
  };
}
