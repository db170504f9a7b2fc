/** A tree's budget, with the real client: concurrent agents, and one with subagents. Counted by the API alone. */
import { expect } from 'vitest';

import type { Api } from './client/api.ts';
import { makeGate } from './client/gate.ts';
import { type Answer, both, delegate, read, say, type Scenario, type Seen, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { yard } from './harness.ts';

interface Row {
  readonly role: string;
  readonly status: string;
  readonly cost_usd: number;
  readonly share_usd: number;
}

/** The cost of each answer of the scripted API. */
const CALL_USD = 0.00024;
const TREE_USD = 0.004;
/** Rounding to six digits is not spending. */
const ROUNDED_USD = 1e-5;

const role = (name: string, more: object): Record<string, string> => ({
  [`.agents/roles/${name}.json`]: JSON.stringify({ name, category: 'worker', prompt: 'You spend.', ...more }),
});
const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
const report = (summary: string): Answer => say(`Done.\n\`\`\`json\n{"summary":"${summary}"}\n\`\`\``);
const callsOf = ({ seen }: Api, ...markers: readonly string[]): number =>
  seen.filter(({ marker }) => markers.includes(marker)).length;

/** Reads one part after another; only the budget ends it. */
const spends =
  (file: () => string) =>
  ({ step }: Seen): Answer =>
    step < 20 ? read(file(), { offset: 1, limit: step + 1 }) : report('all of it');

situation.concurrent(
  'three agents of one tree spend at once: together with their lead no more than its budget and a call for each',
  async ({ stage }) => {
    const at = await yard(
      stage,
      {
        'a.txt': 'one\n',
        'guard.config.json': '{"agents":{"running":4}}',
        ...role('payer', { category: 'conversational', limits: { tree_cost_usd: TREE_USD } }),
        ...role('spender', { tools: ['Read'] }),
      },
      {
        lead: ({ step, results }) => {
          const draft = (name: string): Answer =>
            tool('draft_agent', { role: 'spender', prompt: `[[${name}]] Go.` });
          if (step === 0) return both(draft('one'), draft('two'), draft('three'));
          const ids = results.map(({ text }) => (JSON.parse(text) as { agentId: string }).agentId);
          return step === 1 ? tool('await_agent', { agentId: ids }) : report('led');
        },
        ...Object.fromEntries(
          ['one', 'two', 'three'].map((name) => [name, spends(() => at.scratch.path('a.txt'))]),
        ),
      },
    );
    expect(await at.await(await at.draft('payer', '[[lead]] Spend.'))).toMatchObject({ status: 'completed' });
    const { agents } = (await at.json('agent', 'list', '--all')) as { agents: readonly Row[] };
    const below = agents.filter(({ role: name }) => name === 'spender');
    // Equal shares, set aside before anything was spent.
    for (const { share_usd } of below) expect(share_usd).toBeCloseTo(TREE_USD / 4, 5);
    expect(below.map(({ status }) => status)).toEqual(['budget', 'budget', 'budget']);
    for (const { cost_usd, share_usd } of below)
      expect(cost_usd).toBeLessThanOrEqual(share_usd + CALL_USD + ROUNDED_USD);
    const paid_usd = callsOf(at.api, 'lead', 'one', 'two', 'three') * CALL_USD;
    expect(paid_usd).toBeGreaterThan(TREE_USD * 0.95);
    expect(paid_usd).toBeLessThanOrEqual(TREE_USD + 4 * CALL_USD + ROUNDED_USD);
  },
);

const SUBAGENTS = ['s1', 's2', 's3', 's4'];
const FAN_USD = 0.0013;

situation.concurrent(
  'an agent whose role allows one subagent at a time spends no more than its budget and one call',
  async ({ stage }) => {
    const limits = { tree_cost_usd: FAN_USD, subagents: 1 };
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', ...role('fan', { tools: ['Read'], limits }) },
      {
        fan: [both(...SUBAGENTS.map((name) => delegate(name))), report('fanned')],
        ...Object.fromEntries(SUBAGENTS.map((name) => [name, spends(() => at.scratch.path('a.txt'))])),
      },
    );
    expect(await at.await(await at.draft('fan', '[[fan]] Have it read.'))).toMatchObject({
      status: 'budget',
    });
    expect(SUBAGENTS.filter((name) => callsOf(at.api, name) > 0)).toHaveLength(1);
    const paid_usd = callsOf(at.api, 'fan', ...SUBAGENTS) * CALL_USD;
    expect(paid_usd).toBeGreaterThan(FAN_USD);
    expect(paid_usd).toBeLessThanOrEqual(FAN_USD + CALL_USD + ROUNDED_USD);
  },
);

situation.concurrent(
  'subagents of one agent have a call each open when the money is used up: those are paid, and no more is asked',
  async ({ stage }) => {
    // All of them reach their second call before any of them is answered.
    const open = makeGate();
    let came = 0;
    const sub: Scenario[string] = async (seen) => {
      if (seen.step === 1 && ++came === SUBAGENTS.length) open.open();
      if (seen.step === 1) await open.opened;
      return spends(() => at.scratch.path('a.txt'))(seen);
    };
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', ...role('fan', { tools: ['Read'], limits: { tree_cost_usd: FAN_USD } }) },
      {
        fan: [both(...SUBAGENTS.map((name) => delegate(name))), report('fanned')],
        ...Object.fromEntries(SUBAGENTS.map((name) => [name, sub])),
      },
    );
    const told = (await at.await(await at.draft('fan', '[[fan]] Have it read.'))) as unknown as Row;
    const paid_usd = callsOf(at.api, 'fan', ...SUBAGENTS) * CALL_USD;
    expect(told.status).toBe('budget');
    // The client stops at the first answer above the budget, and does not always count the others that were open then.
    expect(told.cost_usd).toBeGreaterThan(FAN_USD);
    expect(told.cost_usd).toBeLessThanOrEqual(paid_usd + ROUNDED_USD);
    // Each subagent at work has one call in flight; a single call above the budget would cost less than this.
    expect(paid_usd).toBeGreaterThan(FAN_USD + 3 * CALL_USD);
    expect(paid_usd).toBeLessThanOrEqual(FAN_USD + SUBAGENTS.length * CALL_USD + ROUNDED_USD);
  },
);
