/** Two clones with separate users, which the engine treats as two machines. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Scratch, scratch } from '../claude/driver.ts';
import { asOwner, type Cluster, PASSWORD, startCluster, stopCluster } from '../store/postgres/cluster.ts';
import { ROLE } from '../store/postgres/shared.ts';

export const NAMED = '.claude/guard-fleet.json';
export const FILES = { 'a.txt': '1\n', 'b.txt': '2\n' };

export const addressOf = ({ dir, port }: Cluster, role: string): string =>
  `postgres://${role}@unused:${port}/postgres?host=${encodeURIComponent(dir)}`;

export function machine(cluster: Cluster, more: object = {}): Scratch {
  const at = scratch({ files: FILES });
  const file = join(at.env['XDG_CONFIG_HOME'] ?? join(at.home, '.config'), 'guard/config.json');
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ engine: addressOf(cluster, ROLE), warm: false, ...more }));
  return at;
}

/** A repository that moved to the engine, and a clone on another machine that joined. */
export function two(cluster: Cluster, more: object = {}): readonly [Scratch, Scratch] {
  const [a, b] = [machine(cluster, more), machine(cluster, more)];
  expect(a.guard('fleet', 'init', addressOf(cluster, 'postgres'))).toMatchObject({ exit: 0 });
  b.put(NAMED, a.read(NAMED));
  expect(b.guard('fleet', 'join')).toMatchObject({ exit: 0 });
  return [a, b];
}

/** A server that the test may stop. */
export async function ownCluster(): Promise<Cluster> {
  const cluster = await startCluster({ owner: process.pid });
  onTestFinished(() => stopCluster(cluster));
  await asOwner(cluster, async (client) => {
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
  });
  return cluster;
}
