/** A server that follows another one. */
import { type Cluster, makeServerDir, startIn } from './cluster.ts';
import { BIN, runAsUser } from './programs.ts';

/** What a server needs in pg_hba.conf to be followed. */
export const FOLLOWED = ['local replication all trust'];

/** Receives all that the primary writes; whether commits wait for it, the primary says. */
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
