/** The budget of a tree of agents whose client does not limit itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AwaitResult } from '../../src/harness/awaited.ts';
import { harness, until } from './harness.ts';

/** A message of 100,000 tokens of input and 140,000 of output: 0.80 USD at the price of "haiku". */
const CALL_USD = 0.8;
const call = (n: number): string =>
  `js emit({type:"assistant",parent_tool_use_id:null,message:{id:"m${n}",model:"claude-haiku-9",content:[{type:"text",text:"${n}"}],usage:{input_tokens:100000,output_tokens:140000}}})`;
const calls = (count: number, pause_ms: number): string[] =>
  Array.from({ length: count }, (_, n) => [call(n), `sleep ${pause_ms}`]).flat();

const lead = { category: 'conversational', prompt: 'You lead.' };
const worker = { category: 'worker', prompt: 'You work.' };

describe('a tree of agents', () => {
  it('ends an agent after the call that used up its share, whatever its client does', () => {
    const at = harness({}, { payer: { ...worker, limits: { tree_cost_usd: 2 } } });
    const id = at.draft('payer', [...calls(12, 600), 'result Done.']);
    const told = at.await(id);
    expect(told).toMatchObject({ status: 'budget', cost_is_estimate: true });
    expect(told.cost_usd).toBeGreaterThan(2);
    expect(told.cost_usd).toBeLessThanOrEqual(2 + CALL_USD);
    const { argv } = at.started(id);
    expect(argv[argv.indexOf('--max-budget-usd') + 1]).toBe('2');
  });

  it('shows while it runs what it has cost, as a guess', async () => {
    const at = harness();
    const id = at.draft('dev', [call(1), 'hang']);
    await until(() => (at.list()[0]?.cost_usd ?? 0) > 0, 15_000);
    expect(at.list()).toMatchObject([{ id, cost_usd: CALL_USD, cost_is_estimate: true }]);
  });

  it('does not cost more than its budget and a call for each agent, however many work at once', () => {
    const at = harness(
      { agents: { running: 4 } },
      {
        payer: { ...lead, limits: { tree_cost_usd: 8 } },
        worker,
      },
    );
    const root = at.draft('payer', ['hang']);
    const gate = join(at.at.home, 'go-on');
    const steps = [`sh while [ ! -e '${gate}' ]; do sleep 0.1; done`, ...calls(12, 600), 'result x'];
    const draft = () => at.as(root, 'agent', 'draft', '--role', 'worker', '--json', steps.join('\n'));
    const ids = [draft(), draft(), draft()].map((told) => (told.json() as { agentId: string }).agentId);
    const shares = at.list('--all').map((row) => row.share_usd);
    expect(shares).toEqual([2, 2, 2, 2]);
    writeFileSync(gate, '');
    for (const id of ids) expect(at.await(id).status).toBe('budget');
    const spent = at.list('--all').reduce((sum, { cost_usd }) => sum + cost_usd, 0);
    expect(spent).toBeGreaterThan(6);
    expect(spent).toBeLessThanOrEqual(6 + 3 * CALL_USD);
    const late = draft().json() as { agentId: string; queued?: { why: string; words: string } };
    expect(late.queued?.why).toBe('share');
    // The lead, which holds the rest of the budget, waits for it.
    const told = at.as(root, 'agent', 'await', late.agentId, '--json').json() as AwaitResult;
    expect(told).toMatchObject({ status: 'refused', turns: 0 });
    expect(told.reason).toContain('0.00 are left');
  });

  it('lets who has some of its own left go on when others have used theirs up, and more', () => {
    const at = harness(
      { agents: { running: 2 } },
      { payer: { ...lead, limits: { tree_cost_usd: 2 } }, worker },
    );
    const root = at.draft('payer', [
      'say 1',
      `sh while [ ! -e '${join(at.at.home, 'over')}' ]; do sleep 0.1; done`,
      'sleep 1500',
      'result Led.',
    ]);
    const told = at.as(
      root,
      'agent',
      'draft',
      '--role',
      'worker',
      '--json',
      [call(1), call(2), call(3), 'hang'].join('\n'),
    );
    const spender = (told.json() as { agentId: string }).agentId;
    const over = at.await(spender);
    expect(over.status).toBe('budget');
    expect(over.cost_usd).toBeCloseTo(3 * CALL_USD, 6);
    writeFileSync(join(at.at.home, 'over'), '');
    expect(at.await(root)).toMatchObject({ status: 'completed' });
  });

  it('learns what a model costs from what its client says of it', async () => {
    const at = harness();
    const word = `js ended("x", {total_cost_usd: 1.6, modelUsage: {"claude-haiku-9": {inputTokens: 100000, outputTokens: 140000, costUSD: 1.6}}})`;
    at.await(at.draft('dev', [call(1), word]));
    const id = at.draft('dev', [call(1), 'hang']);
    await until(() => (at.list()[0]?.cost_usd ?? 0) > 0, 15_000);
    expect(at.list()).toMatchObject([{ id, cost_usd: 1.6, cost_is_estimate: true }]);
  });
});
