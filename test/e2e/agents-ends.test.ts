/** How drafted agents end, with the real client: asking, refused, woken, without an API, out of their tree's money. */
import { expect } from 'vitest';

import { userSettings } from './client/guarded.ts';
import { type Answer, bash, read, say, type Seen, use } from './client/scenario.ts';
import { situation, situationWith } from './client/stage.ts';
import { type Ended, yard } from './harness.ts';

interface Whole extends Ended {
  readonly needs?: {
    readonly questions: readonly string[];
    readonly denials: readonly { readonly tool: string; readonly rule: string; readonly count: number }[];
  };
  readonly api_error?: object;
  readonly cost_usd: number;
}

const report = (summary: string, questions: readonly string[] = []): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);
const role = (name: string, more: object): Record<string, string> => ({
  [`.agents/roles/${name}.json`]: JSON.stringify({ name, category: 'worker', prompt: 'You work.', ...more }),
});

situation.concurrent(
  'an agent that was refused its tools has completed, and needs somebody: exit code 3, and the rules to add',
  async ({ stage }) => {
    const at = await yard(stage, role('reader', { tools: ['Read'] }), {
      reader: [
        bash('npm install left-pad'),
        use('WebFetch', { url: 'https://example.com/x', prompt: 'What is it?' }),
        say('I could not write: permission was denied. Please grant it.'),
      ],
    });
    const told = await at.guard('agent', 'await', await at.draft('reader', '[[reader]] Install.'));
    expect(told.code).toBe(3);
    expect(told.stdout).toContain('completed, was not allowed');
    expect(told.stdout).toContain(
      'add "Bash(npm install:*)", "WebFetch(domain:example.com)" to "tools" in .agents/roles/reader.json',
    );
  },
);

situation.concurrent(
  'what another agent holds is guard’s to refuse, and nothing that a role lacks',
  async ({ stage }) => {
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        dev: [
          () => read(at.scratch.path('a.txt')),
          () => use('Edit', { file_path: at.scratch.path('a.txt'), old_string: 'one', new_string: 'two' }),
          ({ results }: Seen) => {
            expect(results[0]?.text).toContain('LOCKED_BY_OTHER');
            return report('it is locked');
          },
        ],
      },
    );
    at.scratch.guard('lock', 'try', 'a.txt', '--agent', 'me');
    const told = (await at.await(await at.draft('dev', '[[dev]] Write.'))) as Whole;
    expect(told).toMatchObject({ status: 'completed', result: { summary: 'it is locked' } });
    expect(told).not.toHaveProperty('needs');
  },
);

situation.concurrent('an agent that asked, in either way, has its questions on record', async ({ stage }) => {
  const questions = [
    {
      question: 'Which database?',
      header: 'DB',
      multiSelect: false,
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ];
  const at = await yard(
    stage,
    {},
    {
      tool: [use('AskUserQuestion', { questions }), say('Which database should I use, A or B?')],
      block: [report('half', ['Which licence?'])],
    },
  );
  for (const [name, question] of [
    ['tool', 'Which database?'],
    ['block', 'Which licence?'],
  ] as const)
    expect(await at.await(await at.draft('dev', `[[${name}]] Go.`))).toMatchObject({
      status: 'completed',
      needs: { questions: [question], denials: [] },
    });
});

situationWith('background_tasks').concurrent(
  'a report stays the report when the client wakes the agent, and ends an agent that left a command running',
  async ({ stage }) => {
    const tools = ['Bash(sleep:*)'];
    const left = (command: string) => use('Bash', { command, description: 'Wait', run_in_background: true });
    const at = await yard(stage, role('waker', { tools }), {
      woken: [left('sleep 3'), report('all of it'), say('Noted.')],
      left: [left('sleep 300'), report('and a server')],
    });
    expect(await at.await(await at.draft('waker', '[[woken]] Go.'))).toMatchObject({
      status: 'completed',
      result: { summary: 'all of it' },
    });
    expect(await at.await(await at.draft('waker', '[[left]] Go.'))).toMatchObject({
      status: 'completed',
      reason: 'done',
      result: { summary: 'and a server' },
    });
  },
);

situationWith('background_tasks').concurrent(
  'an agent that waits in silence for a command that it left running has not completed, and may go on',
  async ({ stage }) => {
    // On a machine at work, a client takes some seconds until it says anything.
    const more = { tools: ['Bash(sleep:*)'], limits: { stall: '15s' } };
    const left = use('Bash', { command: 'sleep 300', description: 'Test', run_in_background: true });
    const at = await yard(stage, role('waiter', more), {
      waits: [left, say('The tests run; I wait for them.')],
    });
    const told = await at.await(await at.draft('waiter', '[[waits]] Test it.'));
    expect(told).toMatchObject({ status: 'timeout', message: 'The tests run; I wait for them.' });
    expect(told).not.toHaveProperty('result');
    expect(told.reason).toMatch(/silent for more than 15 s: its turn had ended without a report/);
    expect((told as Ended & { readonly hint: string }).hint).toContain('guard agent send');
  },
);

const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const CUT = 'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"mess\n\n';

situation.concurrent(
  'an API that is overloaded, not paid, or not there behind its proxy is the reason in so many words',
  async ({ stage }) => {
    const fails = (status: number, type: string, message: string): Answer => ({
      fails: { status, type, message },
    });
    const raw = (status: number, content_type: string, body: string) => (): Answer => ({
      raw: { status, content_type, body },
    });
    const at = await yard(stage, role('once', { limits: { retries: 0 } }), {
      busy: () => fails(529, 'overloaded_error', 'Overloaded'),
      poor: () =>
        fails(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      page: raw(502, 'text/html', HTML),
      portal: raw(200, 'text/html', HTML),
      cut: raw(200, 'text/event-stream', CUT),
    });
    // The client's own ten retries take three minutes.
    userSettings(at.scratch, { env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    const names = ['busy', 'poor', 'page', 'portal', 'cut'] as const;
    const [busy, poor, page, portal, cut] = await Promise.all(
      names.map(async (name) => (await at.await(await at.draft('once', `[[${name}]] Go.`))) as Whole),
    );
    expect(busy).toMatchObject({ status: 'failed', api_error: { status: 529, is_transient: true } });
    expect(busy?.reason).toMatch(/^API error 529 overloaded_error \(\d+ attempts, may pass\): /);
    expect(poor).toMatchObject({ status: 'failed', api_error: { status: 400, is_transient: false } });
    expect(poor?.reason).toContain('Credit balance is too low');
    expect(page).toMatchObject({ status: 'failed', api_error: { status: 502, is_transient: true } });
    expect(page?.reason).not.toContain('<html>');
    for (const one of [portal, cut])
      expect(one).toMatchObject({
        ...{ status: 'failed', api_error: { status: 200, kind: 'malformed_response', is_transient: true } },
      });
  },
);

situation.concurrent(
  'a lead that waits for longer than its client would is told that the agent runs, and waits again',
  async ({ stage }) => {
    const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
    const said: string[] = [];
    let id = '';
    const at = await yard(
      stage,
      { 'guard.config.json': '{"mcp":{"streamTimeout":5000}}' },
      {
        lead: ({ step, results }) => {
          const text = results[0]?.text ?? '';
          if (step === 0) return tool('draft_agent', { role: 'dev', prompt: '[[dev]] Take your time.' });
          if (step === 1) id = (JSON.parse(text) as { agentId: string }).agentId;
          else said.push((JSON.parse(text) as { status: string }).status);
          return said.at(-1) === 'completed' ? report('waited') : tool('await_agent', { agentId: id });
        },
        dev: [
          async () => {
            await new Promise((resolve) => setTimeout(resolve, 9_000));
            return report('late');
          },
        ],
      },
    );
    expect(await at.await(await at.draft('lead', '[[lead]] Have it done.'))).toMatchObject({
      status: 'completed',
      result: { summary: 'waited' },
    });
    expect(said.length).toBeGreaterThan(1);
    expect(said.slice(0, -1)).toEqual(said.slice(0, -1).map(() => 'running'));
  },
);

situation.concurrent(
  'a tree’s budget holds: its client stops after the call that used it up',
  async ({ stage }) => {
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', ...role('payer', { tools: ['Read'], limits: { tree_cost_usd: 0.0003 } }) },
      {
        payer: ({ step }) =>
          step < 9 ? read(at.scratch.path('a.txt'), { offset: 1, limit: step + 1 }) : report('all'),
      },
    );
    const told = (await at.await(await at.draft('payer', '[[payer]] Read.'))) as Whole;
    expect(told.status).toBe('budget');
    // A call costs 0.00024 USD.
    expect(told.cost_usd).toBeGreaterThan(0.0003);
    expect(told.cost_usd).toBeLessThanOrEqual(0.0003 + 0.00025);
  },
);
