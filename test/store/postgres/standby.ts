/** A server that replicates another one. */
import { type Cluster, makeServerDir, startIn } from './cluster.ts';
import { BIN, runAsUser } from './programs.ts';

/** What a primary needs in pg_hba.conf to accept a standby. */
export const FOLLOWED = ['local replication all trust'];

/** Receives everything the primary writes; the primary decides whether commits wait for it. */
export async function startStandby(
  { dir: primary, port }: Cluster,
  settings: readonly string[] = [],
  owner = process.pid,
): Promise<Cluster> {
  const dir = makeServerDir();
  const from = ['-h', primary, '-p', String(port), '-U', 'postgres'];
  runAsUser(`${BIN}/pg_basebackup`, [
    ...from,
    '-D',
    `${dir}/data`,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ]);
  return startIn(dir, settings, owner);
}
