/** Drafted agents while the ledger is a database that machines share: started, awaited, queued, ended and resumed. */
import { describe, expect, it } from 'vitest';
import { addressOf } from '../cli/two-machines.ts';
import { hasPostgres } from '../store/postgres/programs.ts';
import { ROLE, sharedCluster } from '../store/postgres/shared.ts';
import { harness, until } from './harness.ts';

describe.skipIf(!hasPostgres())('on a shared ledger', { timeout: 120_000 }, () => {
  it('agents are drafted, queued, awaited, killed and lost as on a machine’s own', async () => {
    const cluster = await sharedCluster();
    const at = harness({ agents: { running: 2 } });
    at.at.put(
      `${at.at.home}/.config/guard/config.json`,
      JSON.stringify({ engine: addressOf(cluster, ROLE), warm: false }),
    );
    expect(at.guard('fleet', 'init', addressOf(cluster, 'postgres'))).toMatchObject({ exit: 0 });
    const [stuck, lost] = [at.draft('dev', ['say One.', 'hang']), at.draft('dev', ['say One.', 'hang'])];
    const after = at.draft('dev', ['result Two.'], '--after', lost);
    await until(() => at.list().filter(({ turns }) => turns === 1).length === 2, 30_000);
    expect(at.list().map(({ status }) => status)).toEqual(['running', 'running', 'queued']);
    process.kill(at.supervisor(lost), 'SIGKILL');
    expect(at.await(lost)).toMatchObject({ status: 'failed', reason: 'its supervisor died' });
    expect(at.processes(lost)).toEqual([]);
    expect(at.guard('agent', 'kill', stuck, '--json').json()).toMatchObject({ success: true });
    expect(at.await(stuck)).toMatchObject({ status: 'killed', message: 'One.' });
    expect(at.processes(stuck)).toEqual([]);
    expect(at.guard('agent', 'send', lost, 'result After all.').exit).toBe(0);
    expect(at.await(lost)).toMatchObject({ status: 'completed', message: 'After all.' });
    expect(at.await(after)).toMatchObject({ status: 'completed', message: 'Two.' });
    expect(at.guard('fleet', 'status', '--json').json()).toMatchObject({ machines: [{ here: true }] });
  });
});
