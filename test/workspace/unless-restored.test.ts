/** A shared database that was restored to an earlier moment, without anyone saying so. */
import { describe, expect, test } from 'vitest';
import { type Scratch, type Session, working } from '../claude/driver.ts';
import { addressOf, ownCluster, two } from '../cli/two-machines.ts';
import { asOwner, type Cluster } from '../store/postgres/cluster.ts';
import { hasPostgres } from '../store/postgres/programs.ts';

const KEPT = ['state', 'log', 'known'];
const NUMBERS = `(SELECT numbers FROM guard.repository LIMIT 1)`;

const run = (cluster: Cluster, ...lines: readonly string[]) =>
  asOwner(cluster, async (owner) => {
    for (const line of lines) await owner.query(line);
  });

const backUp = (cluster: Cluster) =>
  run(
    cluster,
    ...KEPT.map((name) => `CREATE TABLE public.${name} AS TABLE guard.${name}`),
    `CREATE TABLE public.numbers AS SELECT nextval(${NUMBERS}) AS next`,
  );

const putBack = (cluster: Cluster) =>
  run(
    cluster,
    ...KEPT.flatMap((name) => [
      `DELETE FROM guard.${name}`,
      `INSERT INTO guard.${name} SELECT * FROM public.${name}`,
    ]),
    `SELECT setval(${NUMBERS}, next) FROM public.numbers`,
  );

function reading(at: Scratch): Session {
  const agent = working(at);
  agent.read('a.txt');
  agent.read('b.txt');
  return agent;
}

const REFUSED = /GUARD_ERR_ENGINE_RESTORED.*guard fleet restored/s;

describe.skipIf(!hasPostgres())('a database that was restored', { timeout: 120_000 }, () => {
  test('is refused by a machine that it owes a lock, whose cached leases end, until someone says so', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const agent = reading(a);
    const other = reading(b);
    agent.lock('a.txt');
    await backUp(cluster);
    agent.lock('b.txt');
    await putBack(cluster);
    const asked = agent.guard('lock', 'try', 'b.txt');
    expect(asked.exit).toBeGreaterThan(1);
    expect(asked.stderr).toMatch(REFUSED);
    for (const file of ['a.txt', 'b.txt']) {
      const { pre } = agent.edit(file, file === 'a.txt' ? '1\n' : '2\n', '3\n');
      expect(pre.exit).toBe(2);
      expect(JSON.stringify(pre)).toMatch(REFUSED);
    }
    // It knows of nothing that was lost.
    other.lock('b.txt');
    expect(other.edit('b.txt', '2\n', '4\n').pre.exit).toBe(0);
    const owner = addressOf(cluster, 'postgres');
    expect(a.guard('fleet', 'restored', owner, '--closed-for', '0s').exit).toBe(0);
    expect(agent.guard('lock', 'try', 'b.txt').exit).toBe(1);
    agent.lock('a.txt');
    expect(agent.edit('a.txt', '1\n', '3\n').pre.exit).toBe(0);
  });

  test('is refused even after others have used up the numbers that it had forgotten', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const [agent, other] = [reading(a), reading(b)];
    await backUp(cluster);
    agent.lock('a.txt');
    await putBack(cluster);
    for (let nth = 0; nth < 6; nth++) {
      other.lock('b.txt');
      other.guard('lock', 'release', 'b.txt');
    }
    expect(agent.guard('lock', 'try', 'a.txt').stderr).toMatch(REFUSED);
  });

  test('is not suspected after its tables were rewritten, and a clone left and joined again', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const agent = reading(a);
    agent.lock('a.txt');
    expect(agent.guard('leave').exit).toBe(0);
    expect(a.guard('fleet', 'leave').exit).toBe(0);
    expect(a.guard('fleet', 'join').exit).toBe(0);
    await run(cluster, 'VACUUM FULL guard.state', 'ANALYZE');
    const next = reading(a);
    next.lock('b.txt');
    expect(next.edit('b.txt', '2\n', '3\n').pre.exit).toBe(0);
    expect(reading(b).guard('lock', 'try', 'b.txt').exit).toBe(1);
  });
});
