/** Agents that begin while a clone is being moved from its own ledger to one that machines share. */
import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { joinFleet } from '../../../src/cli/fleet/move.ts';
import { readInstall } from '../../../src/repo/install.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { Session } from '../../claude/driver.ts';
import { hasPostgres } from '../../store/postgres/programs.ts';
import { sharedCluster } from '../../store/postgres/shared.ts';
import { machine, NAMED, two } from '../two-machines.ts';

describe.skipIf(!hasPostgres())('a clone that joins', () => {
  test('is not moved when an agent takes a lock meanwhile: it would be held in one ledger, and free in the other', async () => {
    const [a] = two(await sharedCluster());
    const c = machine(await sharedCluster());
    c.put(NAMED, a.read(NAMED));
    const around = { cwd: c.root, env: c.env };
    // It has seen that nobody is at work, and asks the engine now.
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
});
