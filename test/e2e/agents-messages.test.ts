/** Messages to drafted agents, with the real client: mid-turn, after their end, after an API failure. */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { logOf } from './client/guarded.ts';
import { type Answer, read, say, type Seen, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { until } from './client/until.ts';
import { type Ended, yard } from './harness.ts';

interface Told extends Ended {
  readonly needs?: object;
  readonly cost_usd: number;
}

const report = (summary: string, questions: readonly string[] = []): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);

situation.concurrent('what is said to an agent at work is in its next request, once', async ({ stage }) => {
  const [works, said] = [makeGate(), makeGate()];
  const at = await yard(
    stage,
    { 'a.txt': 'one\n' },
    {
      dev: [
        async () => {
          works.open();
          await said.opened;
          return read(at.scratch.path('a.txt'));
        },
        report('heard it'),
      ],
    },
  );
  const id = await at.draft('dev', '[[dev]] Read.');
  await works.opened;
  expect(await at.json('agent', 'send', id, 'And mind the tests.')).toMatchObject({ status: 'sent' });
  // Its supervisor looks twice a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  said.open();
  expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'heard it' } });
  const request = JSON.stringify(at.api.at('dev', 1).request.messages);
  expect(request.match(/And mind the tests\./g)).toHaveLength(1);
  expect((await at.guard('agent', 'logs', id)).stdout).toContain('And mind the tests.');
});

situation.concurrent(
  'an agent that asked is answered: it goes on in its session, within its money, and ends by itself',
  async ({ stage }) => {
    const seen: string[] = [];
    const at = await yard(
      stage,
      {
        '.agents/roles/asker.json': JSON.stringify({
          ...{ name: 'asker', category: 'worker', prompt: 'You ask.', limits: { cost_usd: 0.01 } },
        }),
      },
      {
        asker: ({ step, request }: Seen) => {
          seen.push(JSON.stringify(request.messages));
          return step === 0 ? report('half', ['Which licence?']) : report(`whole ${String(step)}`);
        },
      },
    );
    const id = await at.draft('asker', '[[asker]] Go.');
    expect(await at.await(id)).toMatchObject({ needs: { questions: ['Which licence?'] } });
    expect(await at.json('agent', 'send', id, 'MIT.')).toMatchObject({ status: 'resumed' });
    const told = (await at.await(id)) as Told;
    expect(told).toMatchObject({ status: 'completed', result: { summary: 'whole 1' }, turns: 2 });
    expect(told).not.toHaveProperty('needs');
    // Two calls of 0.00024 USD, neither counted twice.
    expect(told.cost_usd).toBeCloseTo(0.00048, 6);
    expect(seen.at(-1)).toContain('Which licence?');
    expect(seen.at(-1)).toContain('MIT.');
    const both = await Promise.all(
      ['One more.', 'And another.'].map((text) => at.guard('agent', 'send', id, text)),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await at.await(id)).toMatchObject({ status: 'completed' });
    for (const text of ['One more.', 'And another.']) expect(seen.join('')).toContain(text);
    expect(await at.json('agent', 'list')).toMatchObject({ agents: [] });
  },
);

/** The cost of each answer of the scripted API. */
const CALL_USD = 0.00024;
const SHARE_USD = 0.0006;

situation.concurrent(
  'an agent that is resumed gets what is left of its money, and stops when that is used up',
  async ({ stage }) => {
    const given: number[] = [];
    let session = '';
    /** The budget that the running client was started with. */
    const budget = (): number => {
      const rows = execFileSync('/bin/ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
      const own = rows.find((row) => row.includes(`--resume ${session}`)) ?? '';
      return Number(/--max-budget-usd (\S+)/.exec(own)?.[1]);
    };
    const at = await yard(
      stage,
      {
        'a.txt': 'one\n',
        '.agents/roles/payer.json': JSON.stringify({
          ...{ name: 'payer', category: 'worker', prompt: 'x', tools: ['Read'] },
          limits: { cost_usd: SHARE_USD },
        }),
      },
      {
        payer: ({ step }: Seen) => {
          if (step === 0) return report('half', ['Which one?']);
          given.push(budget());
          return read(at.scratch.path('a.txt'), { offset: 1, limit: step });
        },
      },
    );
    const id = await at.draft('payer', '[[payer]] Go.');
    session = id.slice('claude-'.length);
    expect(await at.await(id)).toMatchObject({ status: 'completed', turns: 1 });
    expect(await at.json('agent', 'send', id, 'The blue one.')).toMatchObject({ status: 'resumed' });
    expect(await at.await(id)).toMatchObject({ status: 'budget' });
    expect(given[0]).toBeCloseTo(SHARE_USD - CALL_USD, 6);
    const paid_usd = (1 + given.length) * CALL_USD;
    expect(paid_usd).toBeGreaterThan(SHARE_USD);
    expect(paid_usd).toBeLessThanOrEqual(SHARE_USD + CALL_USD);
    // Nothing is left, so another message would have no effect.
    expect(await at.json('agent', 'send', id, 'More.')).toMatchObject({ error: { facts: { why: 'cost' } } });
  },
);

situation.concurrent(
  'an API that is overloaded for a while costs a pause, and not the agent',
  async ({ stage }) => {
    let is_well = false;
    const at = await yard(
      stage,
      {
        '.agents/roles/patient.json': JSON.stringify({
          ...{ name: 'patient', category: 'worker', prompt: 'x', limits: { retries: 2, retry_after: '4s' } },
        }),
      },
      {
        patient: () =>
          is_well
            ? report('well again')
            : { fails: { status: 529, type: 'overloaded_error', message: 'Overloaded' } },
      },
    );
    const id = await at.draft('patient', '[[patient]] Go.');
    // As recorded: the pause itself may have ended before anyone looks.
    const pause = (): string | undefined =>
      logOf(at.scratch, '--type', 'draft')
        .filter(({ phase }) => phase === 'again')
        .map(({ s: states }) => (states as Record<string, { doing: string }>)[`draft:${id}`]?.doing)
        .at(0);
    await until('it is tried again', () => pause() !== undefined);
    is_well = true;
    expect(pause()).toContain('retry 1 of 2');
    expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'well again' } });
  },
);

situation.concurrent('a lead answers what its agent asks, and awaits it again', async ({ stage }) => {
  const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
  const said: string[] = [];
  let id = '';
  const at = await yard(
    stage,
    {},
    {
      lead: ({ step, results }) => {
        said.push(results[0]?.text ?? '');
        if (step === 0) return tool('draft_agent', { role: 'dev', prompt: '[[dev]] Ask.' });
        if (step === 1) id = (JSON.parse(said[1] ?? '') as { agentId: string }).agentId;
        if (step === 2) return tool('message_agent', { agentId: id, text: 'The blue one.' });
        return step === 4 ? report('led') : tool('await_agent', { agentId: id });
      },
      dev: ({ step }) => (step === 0 ? report('half', ['Which one?']) : report('whole')),
    },
  );
  expect(await at.await(await at.draft('lead', '[[lead]] Have it done.'))).toMatchObject({
    result: { summary: 'led' },
  });
  expect(JSON.parse(said[2] ?? '')).toMatchObject({ needs: { questions: ['Which one?'] } });
  expect(JSON.parse(said[3] ?? '')).toMatchObject({ agentId: id, status: 'resumed' });
  expect(JSON.parse(said[4] ?? '')).toMatchObject({ status: 'completed', result: { summary: 'whole' } });
});

situation.concurrent(
  'an ordinary message of another agent is in the next request of one at work, too, once',
  async ({ stage }) => {
    const [works, said] = [makeGate(), makeGate()];
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        dev: [
          async () => {
            works.open();
            await said.opened;
            return read(at.scratch.path('a.txt'));
          },
          report('read it'),
        ],
      },
    );
    const id = await at.draft('dev', '[[dev]] Read.');
    await works.opened;
    const words = ['message', 'send', 'Mind the other tests.', '--to', id, '--agent', 'reviewer'];
    expect(await at.guard(...words)).toMatchObject({ code: 0 });
    said.open();
    expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'read it' } });
    const request = JSON.stringify(at.api.at('dev', 1).request.messages);
    expect(request.match(/Mind the other tests\./g)).toHaveLength(1);
  },
);

situation.concurrent(
  'an agent that is answered while every place is taken is queued, and goes on in its session when one is free',
  async ({ stage }) => {
    const [works, done] = [makeGate(), makeGate()];
    const seen: string[] = [];
    const at = await yard(
      stage,
      { 'guard.config.json': '{"agents":{"running":1}}' },
      {
        asker: ({ step, request }: Seen) => {
          seen.push(JSON.stringify(request.messages));
          return step === 0 ? report('half', ['Which licence?']) : report('whole');
        },
        other: [
          async () => {
            works.open();
            await done.opened;
            return report('other');
          },
        ],
      },
    );
    const id = await at.draft('dev', '[[asker]] Go.');
    expect(await at.await(id)).toMatchObject({ needs: { questions: ['Which licence?'] } });
    const other = await at.draft('dev', '[[other]] Go.');
    await works.opened;
    expect(await at.json('agent', 'send', id, 'MIT.')).toMatchObject({
      ...{ status: 'queued', queued: { place: 1, of: 1, why: 'place' } },
    });
    done.open();
    expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'whole' }, turns: 2 });
    expect(await at.await(other)).toMatchObject({ status: 'completed' });
    expect(seen.at(-1)).toContain('Which licence?');
    expect(seen.at(-1)).toContain('MIT.');
  },
);
