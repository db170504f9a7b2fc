/** Agents that start while a clone is moving from its own ledger to a shared one. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { joinFleet } from '../../../src/cli/fleet/move.ts';
import { workspaceAround } from '../../../src/cli/workspace.ts';
import { readInstall } from '../../../src/repo/install.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
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
    const agent = new Session(c);
    agent.lock('a.txt');
    expect(await joined).toBe('GUARD_ERR_FLEET');
    expect(readInstall(c.state).shared_as).toBeUndefined();
    agent.guard('leave');
    expect(c.guard('fleet', 'join').stderr).toBe('');
    expect(readInstall(c.state).shared_as).toBeDefined();
  });

  test('first has on record what its own ledger was too busy for', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    c.put(NAMED, a.read(NAMED));
    const agent = working(c);
    agent.lock('a.txt');
    const free = keepBusy(c);
    expect(await agent.fireLater('SessionEnd', { reason: 'other' })).toMatchObject({ exit: 0 });
    free();
    expect(c.guard('status', '--json').json()).toMatchObject({ late: 1 });
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
