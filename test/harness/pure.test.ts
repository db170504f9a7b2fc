/** What a client's stream says, how an agent ended, and what a task's document says about it. */
import { describe, expect, it } from 'vitest';
import { inherited } from '../../src/harness/client-call.ts';
import { type Dispatch, promptWith, taskContext } from '../../src/harness/context.ts';
import { endingOf, type ProcessEnd } from '../../src/harness/ending.ts';
import { finalBlock } from '../../src/harness/final-block.ts';
import { NOTHING_YET } from '../../src/harness/progress.ts';
import { streamProgress } from '../../src/harness/stream.ts';
import { isWaiting } from '../../src/harness/stream-calls.ts';

const line = (event: object): string => JSON.stringify({ session_id: 's', ...event });
const said = (id: string, ...content: object[]): string =>
  line({ type: 'assistant', message: { id, content }, parent_tool_use_id: null });
const call = (id: string, name: string, input: object = {}): object => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const answer = (id: string): string =>
  line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } });

describe('a stream', () => {
  it('counts a message of several events as one turn, and its calls by tool', () => {
    const at = streamProgress([
      said('m1', { type: 'text', text: 'Hello.' }),
      said('m1', call('t1', 'Read')),
      answer('t1'),
      said('m2', call('t2', 'Read'), call('t3', 'Edit')),
    ]);
    expect(at.usage).toEqual({ turns: 2, cost_usd: 0, tools: { Read: 2, Edit: 1 } });
    expect(at).toMatchObject({
      session: 's',
      text: 'Hello.',
      open: { t2: { tool: 'Read' }, t3: { tool: 'Edit' } },
    });
  });

  it('counts the calls of a subagent, but neither its turns nor its words', () => {
    const sub = { type: 'assistant', parent_tool_use_id: 't0' };
    const content = [{ type: 'text', text: 'sub' }, call('t1', 'Read')];
    const at = streamProgress([
      said('m1', call('t0', 'Agent')),
      line({ ...sub, message: { id: 'm9', content } }),
    ]);
    expect(at.usage).toMatchObject({ turns: 1, tools: { Agent: 1, Read: 1 } });
    expect(at.text).toBe('');
  });

  it('knows the same call in a row from another one between', () => {
    const one = (id: string, file: string) => said(`m${id}`, call(id, 'Read', { file }));
    expect(streamProgress([one('1', 'a'), one('2', 'a'), one('3', 'a')]).repeats).toBe(3);
    expect(streamProgress([one('1', 'a'), one('2', 'b'), one('3', 'a')]).repeats).toBe(1);
  });

  it('waits while a call that waits is open', () => {
    const waiting = streamProgress([said('m1', call('t1', 'mcp__guard-harness__await_agent'))]);
    expect(isWaiting(waiting)).toBe(true);
    expect(isWaiting(streamProgress([said('m1', call('t1', 'Bash'))]))).toBe(false);
  });

  it('takes cost and turns from the client’s last word, and keeps what is no JSON as text', () => {
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'Bye.' };
    const at = streamProgress(['Invalid API key', line({ ...result, num_turns: 4, total_cost_usd: 0.25 })]);
    expect(at).toMatchObject({ text: 'Bye.', usage: { turns: 4, cost_usd: 0.25 } });
    expect(streamProgress(['Invalid API key', '', '{"type":"new"}']).text).toBe('Invalid API key');
  });
});

describe('a final block', () => {
  const block = '{"summary":"s","changes":["c"],"issues":"i","questions":[{"q":1}]}';
  it.each([block, `Text.\n\`\`\`json\n${block}\n\`\`\`\nBye.`, `\`\`\`\n{"x":1}\n\`\`\`\n${block}`])(
    'is found in %j',
    (message) => {
      expect(finalBlock(message)).toEqual({
        summary: 's',
        changes: ['c'],
        issues: ['i'],
        questions: ['{"q":1}'],
      });
    },
  );
  it.each(['', 'Done.', '{"changes":[]}', '```json\n[1]\n```', '{broken'])('is not in %j', (message) =>
    expect(finalBlock(message)).toBeNull(),
  );
});

describe('an ending', () => {
  const clean: ProcessEnd = { exit_code: 0, signal: null, error: null, stderr: '' };
  const free = { kill: null, exceeded: null };
  const done = { ...NOTHING_YET, final: { is_error: false, subtype: 'success', text: 'x', api_error: null } };
  const kill = { by: 'me', reason: 'enough' };
  const budget = { status: 'budget', reason: 'too many turns' } as const;
  it.each([
    ['completed', done, clean, free],
    ['completed', done, clean, { kill, exceeded: null }],
    ['killed', NOTHING_YET, { ...clean, exit_code: null, signal: 'SIGTERM' }, { kill, exceeded: null }],
    ['budget', NOTHING_YET, { ...clean, signal: 'SIGTERM' }, { kill: null, exceeded: budget }],
    [
      'budget',
      { ...done, final: { ...done.final, is_error: true, subtype: 'error_max_budget_usd' } },
      clean,
      free,
    ],
    ['failed', NOTHING_YET, clean, free],
    ['failed', NOTHING_YET, { ...clean, exit_code: null, error: 'ENOENT' }, free],
    ['failed', { ...done, final: { ...done.final, is_error: true } }, { ...clean, exit_code: 1 }, free],
  ] as const)('%s', (status, at, end, stopped) => {
    const ending = endingOf(at, end, stopped);
    expect(ending.status).toBe(status);
    expect(ending.reason).not.toBe('');
  });

  it('has the client’s words where the agent had none', () => {
    const ending = endingOf(NOTHING_YET, { ...clean, exit_code: 1, stderr: 'a\nno key\n' }, free);
    expect(ending).toMatchObject({ last_output: 'a\nno key', reason: 'its client ended with 1: no key' });
  });
});

describe('the document of a task', () => {
  const task = { slug: 't', created: '2026-01-01T00:00:00.000Z', description: 'Do it.' };
  const dispatch: Dispatch = {
    agent: 'claude-1',
    role: 'dev',
    drafted_by: 'me',
    prompt: 'Begin\nnow',
    started: 'S',
    ended: 'E',
    status: 'failed',
    reason: 'out of luck',
    result: { summary: 'half', changes: ['a.ts: more'], issues: [], questions: ['why?'] },
    last_output: '',
    changed: null,
  };
  it('has what is to be done and what each agent said of its part', () => {
    const text = taskContext(task, [dispatch]);
    for (const part of ['Do it.', '> Begin\n> now', 'Summary: half', '- a.ts: more', '- why?', 'out of luck'])
      expect(text).toContain(part);
    expect(text).not.toContain('Issues');
    expect(taskContext(task, [])).toContain('No agent has worked on it yet.');
  });

  it('is told to the next agent after its own prompt', () => {
    expect(promptWith(null, 'Go.')).toBe('Go.');
    expect(promptWith('known', 'Go.')).toMatch(/^Go\.[\s\S]+<task-context>\nknown\n/);
  });
});

describe('the environment of an agent', () => {
  it('has nothing that says who its drafter is', () => {
    const outer = {
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CODE_SESSION_ID: 's',
      CLAUDECODE: '1',
      INTERLOCK_AGENT_ID: 'x',
      INTERMUTE_AGENT_ID: 'y',
      GUARD_AGENT_ID: 'z',
      GUARD_DRAFTED: 'w',
      CLAUDE_CODE_AGENT_ID: 'a',
      CLAUDE_CODE_TEAM_NAME: 't',
      CLAUDE_CODE_PARENT_SESSION_ID: 'p',
      GIT_DIR: '/elsewhere/.git',
      GIT_INDEX_FILE: '/elsewhere/.git/index',
      CLAUDE_CODE_USE_BEDROCK: '1',
    };
    expect(inherited(outer)).toEqual({ PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_USE_BEDROCK: '1' });
  });
});
