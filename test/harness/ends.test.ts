/** How an agent ended, from what the client (2.1.330) really said: recorded streams. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doingOf } from '../../src/harness/doing.ts';
import { endingOf, type ProcessEnd, type Stopped } from '../../src/harness/ending.ts';
import { mayGoOn } from '../../src/core/lost.ts';
import { rulesFor } from '../../src/harness/not-allowed.ts';
import { NOTHING_YET, type Progress } from '../../src/harness/progress.ts';
import { costUntilLastCall } from '../../src/harness/spending.ts';
import { advance, streamProgress } from '../../src/harness/stream.ts';
import { isWaiting } from '../../src/harness/stream-calls.ts';

const linesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../fixtures/streams', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
const recorded = (name: string): Progress => streamProgress(linesOf(name));

const WELL: ProcessEnd = { exit_code: 0, signal: null, error: null, stderr: '' };
const ILL: ProcessEnd = { ...WELL, exit_code: 1 };
const BY_GUARD: ProcessEnd = { ...WELL, exit_code: 143 };
const BY_ITSELF: Stopped = { kill: null, exceeded: null };
const SILENT: Stopped = {
  kill: null,
  exceeded: { status: 'timeout', reason: 'it was silent for more than 1 s', is_silence: true },
};

describe('an agent that needs a person', () => {
  it('was refused three tools: each with the rule that its role lacks', () => {
    expect(endingOf(recorded('refused'), WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      needs: {
        questions: [],
        denials: [
          { tool: 'WebFetch', rule: 'WebFetch(domain:example.com)', count: 1 },
          { tool: 'Bash', rule: 'Bash(npm install:*)', count: 1 },
          { tool: 'Write', rule: 'Write', count: 1 },
        ],
      },
    });
  });

  it('says so as well when it is ended before its client sums up', () => {
    const at = streamProgress(linesOf('refused').filter((line) => !line.includes('"type":"result"')));
    expect(endingOf(at, BY_GUARD, SILENT).needs?.denials).toHaveLength(3);
  });

  it('was not kept from anything by its role where a hook said no, as guard does for a locked file', () => {
    expect(endingOf(recorded('refused-by-hooks'), WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      needs: null,
    });
    // Earlier clients say it only in the text.
    const older = linesOf('refused-by-hooks').map((line) => line.replace(/,"tool_result_meta":.*$/, '}'));
    expect(endingOf(streamProgress(older), WELL, BY_ITSELF).needs).toBeNull();
  });

  it('asked by the tool for it, which nobody answers, and gave no report', () => {
    expect(endingOf(recorded('asks-by-tool'), WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      needs: { questions: ['Which database?'], denials: [] },
    });
  });

  it('asks in its report', () => {
    expect(endingOf(recorded('asks-in-report'), WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      result: { questions: ['Which licence?'] },
      needs: { questions: ['Which licence?'], denials: [] },
    });
  });
});

describe('the rule that would have allowed a call', () => {
  it.each([
    ['Bash', { command: 'npm run build -- --watch' }, ['Bash(npm run:*)']],
    ['Bash', { command: 'git add -A && git commit -m x' }, ['Bash(git add:*)', 'Bash(git commit:*)']],
    ['Bash', { command: 'rm -rf build' }, ['Bash(rm -rf build)']],
    ['Bash', { command: 'git --no-pager log' }, ['Bash(git --no-pager log)']],
    ['Bash', { command: 'grep "a;b" x' }, ['Bash(grep "a;b" x)']],
    ['WebFetch', { url: 'nonsense' }, ['WebFetch']],
    ['mcp__x__put', {}, ['mcp__x__put']],
  ])('%s %j', (tool, input, rules) => expect(rulesFor(tool, input)).toEqual(rules));
});

describe('an API that does not answer', () => {
  it('overloaded: status, attempts, and that it may pass', () => {
    const ended = endingOf(recorded('api-529'), ILL, BY_ITSELF);
    const { status, reason, api_error } = ended;
    expect(mayGoOn(ended)).toBe(true);
    expect(status).toBe('failed');
    expect(api_error).toEqual({ status: 529, kind: 'overloaded_error', attempts: 3, is_transient: true });
    expect(reason).toMatch(
      /^API error 529 overloaded_error \(3 attempts, may pass\): API Error: Repeated 529/,
    );
  });

  it('without credit: the words of the client, and that it will not pass by itself', () => {
    const ending = endingOf(recorded('api-400'), ILL, BY_ITSELF);
    expect(ending).toMatchObject({
      status: 'failed',
      reason:
        'API error 400 invalid_request_error (1 attempt, will not pass by itself): Credit balance is too low',
      api_error: { status: 400, attempts: 1, is_transient: false },
    });
    expect(mayGoOn(ending)).toBe(false);
  });

  it.each([
    ['api-401', 401, 'authentication_error', false],
    ['api-429', 429, 'rate_limit_error', true],
    ['api-500', 500, 'api_error', true],
    ['api-reset', null, 'unknown', true],
  ])('%s, after all that its client tried', (name, status, kind, is_transient) => {
    const { api_error, reason } = endingOf(recorded(name), ILL, BY_ITSELF);
    expect(api_error).toEqual({ status, kind, attempts: 11, is_transient });
    expect(reason).toMatch(/^API error \S.*\(11 attempts, /);
  });

  it('is what the agent waits for while its client tries again, and is no silence', () => {
    const lines = linesOf('api-529-then-well');
    const waiting = streamProgress(lines.slice(0, 3));
    expect(doingOf(waiting)).toBe('waits for the API (529 overloaded), attempt 2 of 10');
    expect(isWaiting(waiting)).toBe(true);
    const answered = streamProgress(lines.slice(0, 4));
    expect(doingOf(answered)).toBeNull();
    expect(isWaiting(answered)).toBe(false);
    expect(endingOf(recorded('api-529-then-well'), WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      api_error: null,
    });
  });

  it.each(['api-400', 'api-500', 'api-529', 'api-reset', 'out-of-budget'])(
    '%s: no reason says "success"',
    (name) => {
      expect(endingOf(recorded(name), ILL, BY_ITSELF).reason).not.toContain('success');
    },
  );

  it('after the report: that is what counts', () => {
    const report = linesOf('woken-after-report').slice(0, 7);
    const [, ...failing] = linesOf('api-529');
    const at = streamProgress([...report, ...failing]);
    expect(endingOf(at, ILL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      result: { summary: 'did it' },
    });
  });
});

describe('a report', () => {
  it('stays the report when the client wakes the agent once more', () => {
    const at = recorded('woken-after-report');
    expect(at.text).toBe('Noted.');
    expect(endingOf(at, WELL, BY_ITSELF)).toMatchObject({
      status: 'completed',
      result: { summary: 'did it' },
      last_output: expect.stringContaining('"summary":"did it"') as string,
    });
  });

  it('is replaced by a newer one', () => {
    const newer = linesOf('woken-after-report').map((line) =>
      line.replaceAll('Noted.', 'More.\\n```json\\n{\\"summary\\":\\"and more\\"}\\n```'),
    );
    expect(endingOf(streamProgress(newer), WELL, BY_ITSELF).result?.summary).toBe('and more');
  });

  it('makes an end of the silence after it, whatever runs in the background', () => {
    const at = recorded('reported-with-shell');
    expect(at).toMatchObject({ is_idle: true, is_done: true, background: ['local_bash'] });
    expect(doingOf(at)).toBe('is done, but for 1 in the background');
    expect(endingOf(at, BY_GUARD, SILENT)).toMatchObject({
      status: 'completed',
      reason: 'done',
      result: { summary: 'did it' },
    });
    expect(endingOf(NOTHING_YET, BY_GUARD, SILENT).status).toBe('timeout');
  });

  it('is missing where its turn ended in a wait for a command in the background: silence is no end then', () => {
    const waiting = linesOf('reported-with-shell').map((line) =>
      line.replaceAll(/Done\.\\n```json.*?```/g, 'The tests run; I wait for them.'),
    );
    const at = streamProgress(waiting);
    expect(at).toMatchObject({ is_idle: true, is_done: false, report: null, background: ['local_bash'] });
    expect(doingOf(at)).toBe('waits for 1 in the background');
    const ended = endingOf(at, BY_GUARD, SILENT);
    expect(ended).toMatchObject({ status: 'timeout', result: null });
    expect(ended.reason).toMatch(/^it was silent for more than 1 s: its turn had ended without a report/);
    expect(mayGoOn(ended)).toBe(true);
    // A client told to end first ends its background tasks and reports that: guard caused it, no command had ended.
    const tidied = advance(
      at,
      JSON.stringify({ type: 'system', subtype: 'background_tasks_changed', tasks: [] }),
    );
    expect(tidied.background).toEqual([]);
    expect(endingOf(tidied, BY_GUARD, { ...SILENT, background: at.background })).toEqual(ended);
  });
});

describe('what a run costs', () => {
  it('is what its client says, to the cent, as soon as it says it', () => {
    expect(recorded('costs').usage).toEqual({
      turns: 3,
      cost_usd: 0.1794,
      tools: { Read: 1, Bash: 1 },
    });
  });

  it('is guessed before, from the tokens of every call, with the price that the client last named', () => {
    const lines = linesOf('costs');
    const { prices } = recorded('costs').spending;
    const before = { ...NOTHING_YET, spending: { ...NOTHING_YET.spending, prices } };
    const { usage } = lines.slice(0, -1).reduce(advance, before);
    expect(usage.is_estimate).toBe(true);
    expect(usage.cost_usd).toBeCloseTo(0.1794, 10);
    // For an unknown model, the price of most of the more expensive ones.
    const unknown = lines.slice(0, -1).map((line) => line.replaceAll('claude-opus-5-5', 'claude-new'));
    const first = streamProgress(unknown).usage.cost_usd;
    expect(first / 0.1794).toBeGreaterThan(1);
    expect(first / 0.1794).toBeLessThan(1.3);
  });

  it('counts what a message is told to have cost when it is whole, and each message once', () => {
    const lines = linesOf('in-parts');
    const said = recorded('in-parts').usage.cost_usd;
    const { prices } = recorded('in-parts').spending;
    let at: Progress = { ...NOTHING_YET, spending: { ...NOTHING_YET.spending, prices } };
    const open: boolean[] = [];
    for (const line of lines.slice(0, -1)) {
      at = advance(at, line);
      open.push(costUntilLastCall(at.spending) < at.usage.cost_usd);
    }
    expect(at.usage.cost_usd).toBeCloseTo(said, 10);
    // During a message its cost does not count yet, since it may be the last one.
    expect(open.filter(Boolean).length).toBeGreaterThan(3);
    expect(costUntilLastCall(at.spending)).toBeCloseTo(said, 10);
  });

  it('ends a run whose client says that its budget is used up', () => {
    expect(endingOf(recorded('out-of-budget'), ILL, BY_ITSELF)).toMatchObject({
      status: 'budget',
      reason: 'the client stopped: Reached maximum budget ($0.000001)',
    });
  });
});
