/** Bounds across several agents: how many may run, what a tree may cost, how long a session may wait. */
import { describe, expect, it } from 'vitest';
import { harness, until } from './harness.ts';

describe('several agents together', () => {
  it('are no more than may run at once, however many are drafted in the same moment', async () => {
    const at = harness({ agents: { running: 2 } });
    const racing = Array.from({ length: 5 }, () =>
      at.at.startGuard(at.env, 'agent', 'draft', '--role', 'dev', '--json', 'hang'),
    );
    const told = await Promise.all(racing.map(({ done }) => done));
    const places = told.map(({ stdout }) => JSON.parse(stdout) as { queued?: { why: string } });
    expect(places.filter(({ queued }) => queued?.why === 'place')).toHaveLength(3);
    expect(at.list().filter(({ status }) => status === 'queued')).toHaveLength(3);
  });

  it('cost no more than the root of their tree may, those that are over included: nobody else starts', async () => {
    const at = harness(
      {},
      { payer: { category: 'conversational', prompt: 'x', limits: { tree_cost_usd: 0.015 } } },
    );
    const id = at.draft('payer', ['hang']);
    const draft = (steps: string) => at.as(id, 'agent', 'draft', '--role', 'dev', '--json', steps);
    const child = (draft('result One.').json() as { agentId: string }).agentId;
    expect(at.await(child)).toMatchObject({ status: 'completed', cost_usd: 0.01 });
    await until(() => at.list().some((row) => row.id === id && row.status === 'running'), 15_000);
    const second = (draft('result Two.').json() as { agentId: string }).agentId;
    expect(at.await(second)).toMatchObject({ cost_usd: 0.01 });
    // Counted up to the last call of each run, of which the root has made none.
    expect(at.list()).toMatchObject([{ id, status: 'running', cost_usd: 0 }]);
    expect(draft('result Three.').json()).toMatchObject({ queued: { why: 'share' } });
  });

  it('can be awaited by several at once, who all get the result', async () => {
    const at = harness();
    const id = at.draft('dev', ['sleep 1500', 'result Once.']);
    const awaits = [1, 2, 3].map(() => at.at.startGuard(at.env, 'agent', 'await', id, '--json').done);
    for (const { exit, stdout } of await Promise.all(awaits))
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { status: 'completed', message: 'Once.' }]);
    expect(at.at.log('exit')).toHaveLength(1);
  });

  it('are not taken for silent while they wait for one another', () => {
    const at = harness({}, { waiter: { category: 'worker', prompt: 'x', limits: { stall: '1s' } } });
    const waiting = 'open mcp__guard-harness__await_agent {"agentId":"x"}';
    expect(at.await(at.draft('waiter', [waiting, 'sleep 3000', 'result Done.']))).toMatchObject({
      status: 'completed',
    });
    expect(at.await(at.draft('waiter', ['open Read {}', 'sleep 3000', 'result Done.']))).toMatchObject({
      status: 'timeout',
    });
  });
});
