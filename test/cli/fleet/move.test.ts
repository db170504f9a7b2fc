/** Agents that start while a clone is moving from its own ledger to a shared one. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { joinFleet } from '../../../src/cli/fleet/move.ts';
import { moveClone } from '../../../src/cli/fleet/move-clone.ts';
import { workspaceAround } from '../../../src/cli/workspace.ts';
import { nameClone } from '../../../src/install/clone-name.ts';
import { readInstall } from '../../../src/repo/install.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { transact } from '../../../src/store/transact.ts';
import { Session, working } from '../../claude/driver.ts';
import { keepBusy } from '../../locks/process.ts';
import { hasPostgres } from '../../store/postgres/programs.ts';
import { sharedCluster } from '../../store/postgres/shared.ts';
import { addressOf, machine, NAMED, ownCluster, two } from '../two-machines.ts';

describe.skipIf(!hasPostgres())('a clone that joins', () => {
  test('is not moved when an agent takes a lock meanwhile: it would be held in one ledger, and free in the other', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    c.put(NAMED, a.read(NAMED));
    const around = { cwd: c.root, env: c.env };
    // It has seen that no agent is active, and now queries the engine.
    const joined = joinFleet(around, locateRepo(c.root)).then(
      () => 'moved',
      (error: unknown) => isGuardError(error) && error.code,
    );
    // As an agent that looked before the repository named a ledger.
    fs.rmSync(`${c.root}/${NAMED}`);
    const agent = new Session(c);
    agent.lock('a.txt');
    expect(await joined).toBe('GUARD_ERR_FLEET');
    expect(readInstall(c.state).shared_as).toBeUndefined();
    agent.guard('leave');
    c.put(NAMED, a.read(NAMED));
    expect(c.guard('fleet', 'join').stderr).toBe('');
    expect(readInstall(c.state).shared_as).toBeDefined();
  });

  test('is moved once: a second move that began at the same time is refused, and undoes nothing', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    c.put(NAMED, a.read(NAMED));
    const around = { cwd: c.root, env: c.env };
    const { repository, clone } = await joinFleet(around, locateRepo(c.root));
    // It saw the clone before it was moved.
    expect(() => moveClone(locateRepo(c.root), { repository, tip: 0 }, around)).toThrow('is shared');
    expect(nameClone(locateRepo(c.root))).toBe(clone);
  });

  test('leaves its own ledger closed to a process that looked before, and open again when it leaves', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    c.put(NAMED, a.read(NAMED));
    const around = { cwd: c.root, env: c.env };
    const grant = { type: 'hold', agent: 'x', ts_ms: 0, s: { 'x:': 1 } };
    const granting = (space: ReturnType<typeof workspaceAround>): string => {
      try {
        transact(space.store, () => ({ records: [grant], result: null }));
        return 'granted';
      } catch (error) {
        return isGuardError(error) ? error.code : String(error);
      } finally {
        space.close();
      }
    };
    const before = workspaceAround(around);
    await joinFleet(around, locateRepo(c.root));
    expect(granting(before)).toBe('GUARD_ERR_COPIED');
    const doctor = c.guard('doctor', '--json').json() as { results: { id: string; status: string }[] };
    expect(doctor.results.filter(({ status }) => status === 'fail')).toEqual([]);
    const shared = workspaceAround(around);
    expect(c.guard('fleet', 'leave')).toMatchObject({ exit: 0, stderr: '' });
    expect(granting(shared)).toBe('GUARD_ERR_FLEET');
    expect(granting(workspaceAround(around))).toBe('granted');
    expect(c.guard('verify').exit).toBe(0);
  });

  test('first has on record what its own ledger was too busy for', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    const agent = working(c);
    agent.lock('a.txt');
    const free = keepBusy(c);
    expect(await agent.fireLater('SessionEnd', { reason: 'other' })).toMatchObject({ exit: 0 });
    free();
    expect(c.guard('status', '--json').json()).toMatchObject({ late: 1 });
    c.put(NAMED, a.read(NAMED));
    expect(c.guard('fleet', 'join')).toMatchObject({ exit: 0, stderr: '' });
    expect(fs.existsSync(`${c.state}/late`)).toBe(false);
    expect(fs.existsSync(`${c.state}/late-unread`)).toBe(false);
  });

  test('and goes on in a process that outlasts a restore of the database judges by the clock of after it', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster);
    const space = workspaceAround({ cwd: a.root, env: a.env });
    const { boot } = space.facts().now;
    a.guard('fleet', 'restored', addressOf(cluster, 'postgres'), '--closed-for', '0s');
    space.store.look([]);
    const { now } = space.facts();
    expect(now.boot).not.toBe(boot);
    expect(now.mono_ms).toBeLessThan(60_000);
    space.close();
  });
});
