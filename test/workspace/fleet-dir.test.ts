/** Several checkouts of one repository on one machine, whose leases are cached in one place. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GUARD, runNow, type Scratch, Session, working } from '../claude/driver.ts';
import { FILES, NAMED, ownCluster, two } from '../cli/two-machines.ts';
import { type Cluster, haltCluster, startAgain } from '../store/postgres/cluster.ts';
import { hasPostgres } from '../store/postgres/programs.ts';

interface Machine {
  readonly cluster: Cluster;
  readonly at: Scratch;
  readonly agent: Session;
  readonly guardIn: (cwd: string, ...args: readonly string[]) => ReturnType<typeof runNow>;
}

async function machineWith(config: object = {}): Promise<Machine> {
  const cluster = await ownCluster();
  const [at] = two(cluster, config);
  at.git('add', ...Object.keys(FILES));
  at.git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'first');
  const agent = working(at);
  const guardIn: Machine['guardIn'] = (cwd, ...args) =>
    runNow({ args: [GUARD, ...args], cwd, env: args[0] === 'lock' ? { ...at.env, ...agent.env } : at.env });
  return { cluster, at, agent, guardIn };
}

function cloneOf({ at, guardIn }: Machine): string {
  const clone = join(at.home, 'clone');
  at.git('clone', '-q', '.', clone);
  expect(guardIn(clone, 'init').exit).toBe(0);
  fs.mkdirSync(join(clone, '.claude'), { recursive: true });
  fs.copyFileSync(at.path(NAMED), join(clone, NAMED));
  expect(guardIn(clone, 'fleet', 'join')).toMatchObject({ exit: 0 });
  return clone;
}

/** Reads and edits a file there; the exit code of the hook before the edit. */
function edits({ at, agent }: Machine, file: string): number | null {
  const text = fs.readFileSync(file, 'utf8');
  const here = new Session(at, { id: agent.id, pid: agent.pid, env: agent.env, cwd: dirname(file) });
  here.read(file);
  return here.edit(file, text, `${text}more\n`).pre.exit;
}

describe.skipIf(!hasPostgres())('leases that a machine caches', { timeout: 120_000 }, () => {
  test('end in all of its clones when their holder releases them in one', async () => {
    const one = await machineWith();
    const clone = cloneOf(one);
    one.agent.lock('a.txt');
    expect(edits(one, one.at.path('a.txt'))).toBe(0);
    expect(one.guardIn(clone, 'lock', 'release', 'a.txt').exit).toBe(0);
    await haltCluster(one.cluster);
    expect(edits(one, one.at.path('a.txt'))).toBe(2);
  });

  test('serve all of its clones while the engine is away, and every write is on record afterwards', async () => {
    const one = await machineWith();
    const clone = cloneOf(one);
    one.agent.lock('a.txt');
    expect(edits(one, join(clone, 'a.txt'))).toBe(0);
    await haltCluster(one.cluster);
    expect(edits(one, join(clone, 'a.txt'))).toBe(0);
    expect(edits(one, join(clone, 'b.txt'))).toBe(2);
    await startAgain(one.cluster);
    // The main clone asks first, and does not know what was left in the other.
    expect(one.guardIn(one.at.root, 'status').exit).toBe(0);
    expect(edits(one, join(clone, 'a.txt'))).toBe(0);
    const ends = one.guardIn(clone, 'log', '--json', '--type', 'write').stdout.trim().split('\n');
    expect(ends).toHaveLength(3);
    expect(one.guardIn(clone, 'log', '--json', '--type', 'bypass').stdout).toBe('');
  });

  test('serve a linked worktree, too, where a lease counts in all checkouts', async () => {
    const one = await machineWith({ lease_scope: 'together' });
    const linked = join(one.at.home, 'w');
    one.at.git('worktree', 'add', '-q', '--detach', linked);
    one.agent.lock('a.txt');
    expect(edits(one, join(linked, 'a.txt'))).toBe(0);
    await haltCluster(one.cluster);
    expect(edits(one, join(linked, 'a.txt'))).toBe(0);
    expect(edits(one, one.at.path('a.txt'))).toBe(0);
    expect(edits(one, join(linked, 'b.txt'))).toBe(2);
  });
});
