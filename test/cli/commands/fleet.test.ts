/** Two clones with separate users, which the engine treats as two machines. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Scratch, scratch, Session } from '../../claude/driver.ts';
import { asOwner, startCluster, stopCluster } from '../../store/postgres/cluster.ts';
import { hasPostgres } from '../../store/postgres/programs.ts';
import { ROLE, sharedCluster } from '../../store/postgres/shared.ts';
import { FOLLOWED, startStandby } from '../../store/postgres/standby.ts';
import { addressOf, FILES, machine, NAMED, ownCluster, two } from '../two-machines.ts';

const codeIn = ({ stderr }: { readonly stderr: string }): string => /GUARD_ERR_\w+/.exec(stderr)?.[0] ?? '';

describe.skipIf(!hasPostgres())('a repository whose ledger machines share', { timeout: 120_000 }, () => {
  test('a lock that an agent took on one machine is held on the other, for commands and for hooks', async () => {
    const [a, b] = two(await sharedCluster());
    new Session(a).lock('a.txt');
    const other = new Session(b, { id: 'other' });
    expect(b.guardWith({ CLAUDE_CODE_SESSION_ID: 'other' }, 'lock', 'try', 'a.txt').exit).toBe(1);
    expect(other.edit('a.txt', '1\n', '1 too\n').pre).toMatchObject({ exit: 2 });
    expect(b.guardWith({ CLAUDE_CODE_SESSION_ID: 'other' }, 'lock', 'try', 'b.txt').exit).toBe(0);
    const [here, there] = [a, b].map((at) => at.guard('status', '--json').json() as { leases: unknown[] });
    expect(here?.leases).toHaveLength(2);
    expect(there?.leases).toHaveLength(2);
  });

  test('each machine sees the state of the others, and its agents end when it leaves', async () => {
    const [a, b] = two(await sharedCluster());
    const agent = new Session(a);
    agent.lock('a.txt');
    const status = b.guard('fleet', 'status', '--json').json() as {
      machines: { here: boolean; up: boolean }[];
    };
    expect(status.machines.map(({ here, up }) => [here, up]).sort()).toEqual([
      [false, true],
      [true, true],
    ]);
    // It asks about this machine's agents only.
    expect(codeIn(a.guard('fleet', 'leave'))).toBe('GUARD_ERR_FLEET');
    const mine = new Session(b, { id: 'mine' });
    mine.lock('b.txt');
    expect(agent.guard('leave').exit).toBe(0);
    expect(a.guard('fleet', 'leave')).toMatchObject({ exit: 0, stderr: '' });
    expect(new Session(b, { id: 'other' }).guard('lock', 'try', 'a.txt').exit).toBe(0);
    // Back in its own ledger, in which no one holds a lock.
    expect(new Session(a).guard('lock', 'try', 'a.txt').exit).toBe(0);
  });

  test('tokens only grow, from the ledger of a clone to the shared one and back', async () => {
    const [a, b] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    const token = (at: Scratch): number => {
      const agent = new Session(at);
      agent.lock('a.txt');
      const { leases } = at.guard('status', '--json').json() as { leases: { token: number }[] };
      agent.guard('leave');
      return leases[0]?.token ?? 0;
    };
    const tokens = [];
    for (let nth = 0; nth < 3; nth++) tokens.push(token(c));
    c.put(NAMED, a.read(NAMED));
    expect(c.guard('fleet', 'join')).toMatchObject({ exit: 0 });
    tokens.push(token(c), token(a));
    expect(c.guard('fleet', 'leave')).toMatchObject({ exit: 0 });
    tokens.push(token(c));
    expect(c.guard('verify').exit).toBe(0);
    expect(c.guard('fleet', 'join')).toMatchObject({ exit: 0 });
    tokens.push(token(c), token(a));
    expect(tokens).toEqual(tokens.toSorted((x, y) => x - y));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens[0]).toBeGreaterThan(0);
    // Its own ledger has no earlier history.
    const shared = token(b);
    expect(b.guard('fleet', 'leave')).toMatchObject({ exit: 0 });
    expect(token(b)).toBeGreaterThan(shared);
  });

  test('a repository cannot be moved while agents are active in it', async () => {
    const cluster = await sharedCluster();
    const at = machine(cluster);
    new Session(at).lock('a.txt');
    expect(codeIn(at.guard('fleet', 'init', addressOf(cluster, 'postgres')))).toBe('GUARD_ERR_FLEET');
    expect(fs.existsSync(at.path(NAMED))).toBe(false);
  });

  test('a clone of another repository does not join by a name that it copied', async () => {
    const [a] = two(await sharedCluster());
    const other = machine(await sharedCluster());
    const named = JSON.parse(a.read(NAMED)) as object;
    other.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'another', '--allow-empty');
    other.put(NAMED, JSON.stringify({ ...named, first_commit: '1'.repeat(40) }));
    expect(codeIn(other.guard('fleet', 'join'))).toBe('GUARD_ERR_FLEET');
  });

  test('an engine counts only if the user’s own configuration names it, whatever repository and environment say', async () => {
    const cluster = await sharedCluster();
    const at = scratch({ files: FILES, apart: true });
    const env = { GUARD_ENGINE: addressOf(cluster, ROLE) };
    expect(['status', 'leave'].map((what) => codeIn(at.guard('fleet', what)))).toEqual([
      'GUARD_ERR_FLEET',
      'GUARD_ERR_FLEET',
    ]);
    expect(codeIn(at.guardWith(env, 'fleet', 'init', addressOf(cluster, 'postgres')))).toBe(
      'GUARD_ERR_CONFIG',
    );
    at.put('guard.config.json', JSON.stringify({ engine: addressOf(cluster, ROLE) }));
    expect(codeIn(at.guard('status'))).toBe('GUARD_ERR_CONFIG');
  });

  test('what the engine can do is measured in a repository that is gone afterwards', async () => {
    const cluster = await sharedCluster();
    const at = machine(cluster);
    const small = [
      '--agents',
      '20',
      '--machines',
      '3',
      '--files',
      '500',
      '--connections',
      '4',
      '--for',
      '500ms',
    ];
    const { exit, stdout } = at.guard('fleet', 'bench', addressOf(cluster, 'postgres'), ...small, '--json');
    const { rules, one_function } = JSON.parse(stdout) as Record<
      string,
      { operations: number; doubled: number }
    >;
    expect([exit, rules?.doubled, one_function?.doubled]).toEqual([0, 0, 0]);
    expect(Math.min(rules?.operations ?? 0, one_function?.operations ?? 0)).toBeGreaterThan(4);
    const left = await asOwner(cluster, async (client) => {
      const { rows } = await client.query<{ n: string }>(
        `SELECT count(*) AS n FROM pg_namespace WHERE nspname LIKE 'guard_bench_%'
          UNION ALL SELECT count(*) FROM guard.state WHERE encode(key, 'escape') LIKE 'agent:agent-%'`,
      );
      return rows.map(({ n }) => n);
    });
    expect(left).toEqual(['0', '0']);
    expect(codeIn(new Session(at).guard('fleet', 'bench'))).toBe('GUARD_ERR_USAGE');
  });

  test('after a restore nothing is granted for a while, and only a person can report one', async () => {
    const cluster = await startCluster({ owner: process.pid });
    await asOwner(cluster, (client) => client.query(`CREATE ROLE ${ROLE} LOGIN`));
    const [a] = two(cluster);
    const restored = ['fleet', 'restored', addressOf(cluster, 'postgres'), '--closed-for', '1h', '--json'];
    expect(codeIn(new Session(a).guard(...restored))).toBe('GUARD_ERR_USAGE');
    new Session(a).lock('a.txt');
    expect(a.guard(...restored).json()).toEqual({ repositories: 1, closed_for_ms: 3_600_000 });
    expect(codeIn(new Session(a).guard('lock', 'try', 'b.txt'))).toBe('GUARD_ERR_BUSY');
    a.guard('fleet', 'restored', addressOf(cluster, 'postgres'), '--closed-for', '0s');
    expect(new Session(a).guard('lock', 'try', 'b.txt').exit).toBe(0);
    await stopCluster(cluster);
  });

  test('a server whose standbys are all behind is refused, unless the user says that it will do', async () => {
    const primary = await startCluster({ owner: process.pid, hba: FOLLOWED });
    await asOwner(primary, (client) => client.query(`CREATE ROLE ${ROLE} LOGIN`));
    const engineOf = (at: Scratch) => {
      const { results } = at.guard('doctor', '--json').json() as {
        results: { id: string; status: string; facts: object }[];
      };
      return results
        .filter(({ id }) => id === 'engine')
        .map(({ status, facts }) => ({ status, ...facts }))[0];
    };
    const a = machine(primary);
    a.guard('fleet', 'init', addressOf(primary, 'postgres'));
    expect(engineOf(a)).toMatchObject({
      status: 'warn',
      standing: 'alone',
      clock_difference_ms: expect.any(Number) as number,
    });
    const standby = await startStandby(primary);
    expect(engineOf(a)).toMatchObject({
      status: 'fail',
      standing: 'asynchronous',
      standbys: ['walreceiver async streaming'],
    });
    const b = machine(primary);
    expect(codeIn(b.guard('fleet', 'init', addressOf(primary, 'postgres')))).toBe('GUARD_ERR_FLEET');
    expect(fs.existsSync(b.path(NAMED))).toBe(false);
    b.put(NAMED, a.read(NAMED));
    expect(codeIn(b.guard('fleet', 'join'))).toBe('GUARD_ERR_FLEET');
    const told = machine(primary, { engine_asynchronous: true });
    expect(told.guard('fleet', 'init', addressOf(primary, 'postgres')).exit).toBe(0);
    const second = machine(primary, { engine_asynchronous: true });
    second.put(NAMED, told.read(NAMED));
    expect(second.guard('fleet', 'join')).toMatchObject({ exit: 0 });
    expect(engineOf(told)).toMatchObject({ status: 'warn' });
    await asOwner(primary, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await client.query('SELECT pg_reload_conf()');
    });
    await expect
      .poll(() => engineOf(a), { timeout: 20_000 })
      .toMatchObject({ status: 'ok', standing: 'in_step' });
    await stopCluster(standby);
    await expect
      .poll(() => engineOf(a), { timeout: 20_000 })
      .toMatchObject({ status: 'fail', standing: 'stuck' });
    await stopCluster(primary);
  });

  test('a clone can leave an engine that is gone for good, and its tokens still grow', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster);
    new Session(a).lock('a.txt');
    const held = a.guard('status', '--json').json() as { leases: { token: number }[] };
    await stopCluster(cluster);
    expect(codeIn(a.guard('fleet', 'leave'))).toBe('GUARD_ERR_ENGINE_AWAY');
    expect(a.guard('fleet', 'leave', '--without-engine')).toMatchObject({ exit: 0, stderr: '' });
    new Session(a).lock('a.txt');
    const { leases } = a.guard('status', '--json').json() as { leases: { token: number }[] };
    expect(leases[0]?.token).toBeGreaterThan((held.leases[0]?.token ?? 0) + 2 ** 32);
  });

  test('a write while the engine is unreachable is denied, with the reason', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster);
    new Session(a).lock('a.txt');
    await stopCluster(cluster);
    const { pre } = new Session(a).edit('a.txt', '1\n', '2\n');
    expect(pre.exit).toBe(2);
    expect(JSON.stringify(pre)).toContain('GUARD_ERR_ENGINE_AWAY');
  });
});
