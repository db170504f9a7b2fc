/** Agents that guard drafts, with the real client. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { logOf } from './client/guarded.ts';
import { type Answer, bash, both, edit, read, say, type Seen, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { guardProgram, yard } from './harness.ts';

const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
const block = (summary: string): Answer =>
  say(`Done.\n\`\`\`json\n{"summary":"${summary}","changes":[],"issues":[],"questions":[]}\n\`\`\``);
const idIn = ({ results }: Seen, at = 0): string =>
  (JSON.parse(results[at]?.text ?? '{}') as { agentId: string }).agentId;

situation(
  'a lead drafts two agents side by side, waits for both, and gets their results',
  async ({ stage }) => {
    const both_there = [makeGate(), makeGate()];
    let ids: string[] = [];
    const together = (mine: number, summary: string) => async (): Promise<Answer> => {
      both_there[mine]?.open();
      await both_there[1 - mine]?.opened;
      return block(summary);
    };
    const at = await yard(
      stage,
      {},
      {
        lead: [
          both(
            tool('draft_agent', { role: 'dev', prompt: '[[one]] First part.' }),
            tool('draft_agent', { role: 'dev', prompt: '[[two]] Second part.' }),
          ),
          (seen) => {
            ids = [idIn(seen, 0), idIn(seen, 1)];
            return both(...ids.map((agentId) => tool('await_agent', { agentId })));
          },
          (seen) => say(seen.results.map(({ text }) => text).join('\n')),
        ],
        one: [together(0, 'one is done')],
        two: [together(1, 'two is done')],
      },
    );
    const lead = await at.draft('lead', '[[lead]] Let two agents do it.');
    const told = await at.await(lead);
    expect(told).toMatchObject({ status: 'completed', reason: 'done' });
    expect(told.message).toContain('"status":"completed"');
    expect(told.message).toContain('one is done');
    expect(told.message).toContain('two is done');
    for (const id of ids) expect(await at.await(id)).toMatchObject({ status: 'completed' });
    const joined = logOf(at.scratch, '--type', 'draft').filter(({ phase }) => phase === 'begin');
    expect(joined.map(({ agent, drafted_by, depth }) => [agent, drafted_by, depth])).toEqual(
      expect.arrayContaining([
        [lead, expect.any(String), 1],
        [ids[0], lead, 2],
        [ids[1], lead, 2],
      ]),
    );
  },
);

situation(
  'an agent that is killed by id in the middle of its work leaves nothing locked',
  async ({ stage }) => {
    const there = makeGate();
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        dev: [
          use('mcp__guard__lock_try', { filepaths: ['a.txt'] }),
          async () => {
            there.open();
            await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
            return say('Too late.');
          },
        ],
      },
    );
    const id = await at.draft('dev', '[[dev]] Hold a file.');
    await there.opened;
    const held = JSON.parse((await at.guard('agent', 'list', '--json')).stdout) as { agents: object[] };
    expect(held.agents).toMatchObject([{ id, status: 'running', leases: ['a.txt'] }]);
    expect((await at.guard('agent', 'kill', id)).code).toBe(0);
    expect(await at.await(id)).toMatchObject({ status: 'killed' });
    const status = JSON.parse((await at.guard('lock', 'status', 'a.txt', '--json')).stdout) as {
      results: object[];
    };
    expect(status.results).toMatchObject([{ holder: null }]);
  },
);

situation(
  'an agent under guard’s hooks waits for the lock of another one, and then writes',
  async ({ stage }) => {
    const waiting = makeGate();
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        dev: ({ step, results }) => {
          if (step === 0) return read(at.scratch.path('a.txt'));
          if (step === 1) return edit(at.scratch.path('a.txt'), 'one', 'two');
          if (step === 2) {
            expect(results[0]?.text).toContain('LOCKED_BY_OTHER');
            waiting.open();
            return use('mcp__guard__lock_wait', { filepaths: ['a.txt'], timeout_seconds: 60 });
          }
          if (step === 3) return edit(at.scratch.path('a.txt'), 'one', 'two');
          return block('written');
        },
      },
    );
    at.scratch.guard('lock', 'try', 'a.txt', '--agent', 'me');
    const id = await at.draft('dev', '[[dev]] Write it.');
    await waiting.opened;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const seen = JSON.parse((await at.guard('agent', 'list', '--json')).stdout) as { agents: object[] };
    expect(seen.agents).toMatchObject([{ id, waiting_for: ['a.txt'] }]);
    at.scratch.guard('lock', 'release', 'a.txt', '--agent', 'me');
    expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'written' } });
    expect(at.scratch.read('a.txt')).toBe('two\n');
  },
);

situation(
  'a role that only looks is served no drafting, by whatever server of guard’s',
  async ({ stage }) => {
    const wrong = { command: process.execPath, args: [guardProgram(), 'mcp', '--tools', 'harness'] };
    const at = await yard(
      stage,
      {},
      {
        dev: [
          tool('list_tasks', {}),
          tool('draft_agent', { role: 'dev', prompt: 'x' }),
          use('mcp__wrong__draft_agent', { role: 'dev', prompt: 'x' }),
          say('Done.'),
        ],
      },
      { wrong },
    );
    const id = await at.draft('dev', '[[dev]] Try it.');
    expect(await at.await(id)).toMatchObject({ status: 'completed' });
    expect(at.api.at('dev', 1).results[0]?.text).toContain('"tasks":[{');
    expect(at.api.at('dev', 2).results[0]?.text).toContain('No such tool available');
    const refused = at.api.at('dev', 3).results[0];
    expect(refused?.is_error).toBe(true);
    expect(refused?.text).toContain('No such tool');
  },
);

situation('an agent that has used up its turns is stopped, and so is one too deep', async ({ stage }) => {
  const at = await yard(
    stage,
    { 'a.txt': 'one\n' },
    {
      short: async ({ step }) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return read(at.scratch.path('a.txt'), { offset: 1, limit: step + 1 });
      },
      deep: ({ step, results }) =>
        step === 0
          ? tool('draft_agent', { role: 'lead', prompt: '[[deep]] Deeper.' })
          : step === 1 && results[0]?.is_error !== true
            ? tool('await_agent', {
                agentId: (JSON.parse(results[0]?.text ?? '{}') as { agentId: string }).agentId,
              })
            : say(results[0]?.text ?? ''),
    },
  );
  const told = await at.await(await at.draft('short', '[[short]] Read on.'));
  expect(told).toMatchObject({ status: 'budget', reason: 'it took more than 2 turns' });
  const deep = await at.await(await at.draft('lead', '[[deep]] Deeper.'));
  expect(deep.status).toBe('completed');
  expect(deep.message).toContain('at most 3 deep');
});

situation(
  'an agent outlives the command that drafted it, and its supervisor’s death is noticed',
  async ({ stage }) => {
    const there = makeGate();
    const at = await yard(
      stage,
      {},
      {
        dev: [
          bash('echo started'),
          async () => {
            there.open();
            await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
            return say('Too late.');
          },
        ],
      },
    );
    const id = await at.draft('dev', '[[dev]] Work.');
    await there.opened;
    const [run] = logOf(at.scratch, '--type', 'draft')
      .filter(({ phase }) => phase === 'supervise')
      .slice(-1);
    const state = (run?.['s'] as Record<string, { supervisor: { pid: number } }>)[`draft:${id}`];
    process.kill(state?.supervisor.pid ?? 0, 'SIGKILL');
    expect(await at.await(id)).toMatchObject({ status: 'failed', reason: 'its supervisor died' });
    expect(logOf(at.scratch, '--type', 'exit')).toMatchObject([{ agent: id, status: 'failed' }]);
  },
);
