/** The server as a machine's agent on a shared ledger: signs of life, and one connection that stays open. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readInstall, writeInstall } from '../../src/repo/install.ts';
import { type Scratch, setUpBy, working } from '../claude/driver.ts';
import { addressOf, ownCluster, two } from '../cli/two-machines.ts';
import { asOwner, type Cluster } from '../store/postgres/cluster.ts';
import { ROLE } from '../store/postgres/shared.ts';
import { hasPostgres } from '../store/postgres/programs.ts';
import { DIST, kill, launchWarm, LAUNCHERS, pidsIn, serve, staged, until } from './stage.ts';

/** Long enough for a busy machine between two of its steps. */
const TTL_MS = 60_000;

/** Two machines, the first of which may have a server. */
function pair(cluster: Cluster): readonly [Scratch, Scratch] {
  const [a, b] = two(cluster);
  const file = join(a.env['XDG_CONFIG_HOME'] ?? join(a.home, '.config'), 'guard/config.json');
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ engine: addressOf(cluster, ROLE) }));
  for (const at of [a, b]) {
    writeInstall(at.state, { ...readInstall(at.state), ttl_ms: TTL_MS });
    setUpBy(at, at);
  }
  onTestFinished(() => pidsIn(a).forEach(kill));
  return [a, b];
}

const beats = (at: Scratch): number => at.guard('log', '--json', '--type', 'machine.beat').lines().length;

/** Server processes of guard's connections. */
const backends = (cluster: Cluster): Promise<readonly number[]> =>
  asOwner(cluster, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'guard' ORDER BY backend_start`,
    );
    return rows.map(({ pid }) => pid);
  });

describe.skipIf(!hasPostgres() || LAUNCHERS.length === 0)('on a shared ledger a server', () => {
  test('is started by the first hook, and beats while everybody is idle', async () => {
    const cluster = await ownCluster();
    const [a, b] = pair(cluster);
    const agent = working(a);
    agent.read('a.txt');
    agent.lock('a.txt');
    await until(() => pidsIn(a).length === 1);
    const before = beats(b);
    await pause(46_000);
    expect(beats(b)).toBeGreaterThanOrEqual(before + 2);

    // Killing it at any moment leaves everything to the commands.
    pidsIn(a).forEach(kill);
    expect(agent.edit('a.txt', '1\n', '2\n').pre.exit).toBe(0);
  }, 240_000);

  test('answers hooks over the connection that it has', async () => {
    const cluster = await ownCluster();
    const [a] = pair(cluster);
    const at = staged(a, DIST);
    await serve(at);
    const event = { session_id: 's', cwd: a.root, hook_event_name: 'UserPromptSubmit', prompt: 'go' };
    await launchWarm(at, event);
    const [first] = await backends(cluster);
    await pause(11_000);
    await launchWarm(at, event);
    const open = await backends(cluster);
    expect(open).toContain(first);
    expect(open.length).toBeLessThanOrEqual(2);
  });
});
