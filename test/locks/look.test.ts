/** A waiter's look at a ledger that machines share. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { workspaceAround } from '../../src/cli/workspace.ts';
import { pathKey } from '../../src/core/keys.ts';
import { asPathState } from '../../src/core/states.ts';
import { markProcess } from '../../src/repo/process.ts';
import { look } from '../../src/locks/look.ts';
import { two } from '../cli/two-machines.ts';
import { Session } from '../claude/driver.ts';
import { hasPostgres } from '../store/postgres/programs.ts';
import { sharedCluster } from '../store/postgres/shared.ts';

test.skipIf(!hasPostgres())(
  'a waiter whose process has died holds no one up, on its own machine',
  async () => {
    const [a] = two(await sharedCluster());
    const holder = new Session(a);
    holder.lock('a.txt');
    const space = workspaceAround({ cwd: a.root, env: a.env });
    onTestFinished(() => space.close());
    const process = spawn('sleep', ['600']);
    const waiter = markProcess(process.pid ?? 0);
    const asked = (id: string, mark: typeof waiter) => ({
      event: {
        ...({ type: 'lock.acquire', paths: ['a.txt'], mode: 'exclusive', ttl_ms: null, all: false } as const),
        who: { id, kind: 'session', parent: null, session: null, proc: null } as const,
        wait_until_mono_ms: space.facts().now.mono_ms + 60_000,
        waiter: mark,
      },
      since_mono_ms: space.facts().now.mono_ms,
    });
    const lookFor = (id: string, mark: typeof waiter) =>
      look(space, asked(id, mark), { deadline_ms: 5_000 }, () => undefined);
    await lookFor('first', waiter);
    const key = pathKey('a.txt');
    const queued = () => asPathState(space.store.look([key]).get(key)).queue;
    // The wait carries this machine's name in the shared ledger.
    expect(queued()).toMatchObject([{ agent: 'first', proc: { machine: space.facts().machine } }]);
    process.kill('SIGKILL');
    await once(process, 'exit');
    holder.guard('lock', 'release', 'a.txt');
    // A waiter that was seen alive within the last quarter of a second counts as alive, so look more than once.
    const looksAgain = async () => expect(await lookFor('second', null)).toMatchObject([{ acquired: true }]);
    await vi.waitFor(looksAgain, { timeout: 10_000, interval: 50 });
  },
);
