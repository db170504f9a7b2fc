/** SC-001 to SC-003 as measurements; SC-004 is checked by `expectEnvelope` on every kind of denial. */
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, HOOK, oneAgent, runNow, scratch, Session, working } from '../driver.ts';

const size = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const AGENTS = size('GUARD_TEST_AGENTS', 4);
const ROUNDS = size('GUARD_TEST_ROUNDS', 5);
const WRITES = size('GUARD_TEST_WRITES', 20);
const SAMPLES = size('GUARD_TEST_SAMPLES', 15);

/** Adds one line by reading the file and writing it back whole, again and again until guard lets it through. */
async function addLine(agent: Session, file: string, line: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    agent.read(file);
    const seen = agent.scratch.read(file);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    const call = agent.call('Write', { file_path: agent.scratch.path(file), content: `${seen}${line}\n` });
    const pre = await agent.preLater(call);
    if (pre.exit === 2) {
      expectEnvelope(pre);
      agent.batch(call);
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    agent.scratch.put(file, `${seen}${line}\n`);
    const response = { type: 'update', filePath: file, content: `${seen}${line}\n`, originalFile: seen };
    expect(await agent.fireLater('PostToolUse', fields(call, response))).toMatchObject({ exit: 0, stdout: '' });
    return tries;
  }
}

const fields = (call: ReturnType<Session['call']>, tool_response: object) => ({
  tool_name: call.tool,
  tool_input: call.input,
  tool_use_id: call.id,
  tool_response,
});

describe('SC-001: 100% reliability', () => {
  it.each(['auto', 'strict'])(
    'parallel agents that all rewrite one file lose no update (preset %s, no locks taken by hand)',
    async (preset) => {
      const at = scratch({ files: { 'log.txt': '' }, init: ['--preset', preset], config: {} });
      const agents = Array.from({ length: AGENTS }, () => working(at));
      const wanted = agents.flatMap((_, who) => Array.from({ length: ROUNDS }, (__, n) => `agent ${who} line ${n}`));
      const rounds = agents.map(async (agent, who) => {
        for (let n = 0; n < ROUNDS; n++) {
          while (preset === 'strict' && agent.guard('lock', 'try', 'log.txt').exit !== 0) await pause();
          await addLine(agent, 'log.txt', `agent ${who} line ${n}`);
          agent.guard('lock', 'release', '--all-held');
        }
      });
      await Promise.all(rounds);
      expect(at.read('log.txt').trimEnd().split('\n').sort()).toEqual(wanted.sort());
      expect(at.log('write.raced')).toEqual([]);
    },
  );
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('SC-002: no false positives', () => {
  it('every write of a file that nobody else changed succeeds', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': '0\n', 'b.txt': '0\n' } });
    agent.lock('a.txt', 'b.txt', 'c.txt');
    agent.read('a.txt');
    for (let n = 0; n < WRITES; n++) {
      const file = ['a.txt', 'b.txt', 'c.txt'][n % 3] ?? '';
      const { pre, post } = n < 3 || n % 2 === 0 ? agent.write(file, `${n}\n`) : agent.edit(file, String(n - 3), String(n));
      expect([pre, post]).toMatchObject([
        { exit: 0, stdout: '', stderr: '' },
        { exit: 0, stdout: '', stderr: '' },
      ]);
    }
    expect(at.log('write')).toHaveLength(WRITES);
    expect(at.log('write.rejected')).toEqual([]);
  });
});

describe('SC-003: low overhead', () => {
  it('PreToolUse of a 1 MB file adds less than 50 ms to an empty Node process (median, interleaved)', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': `${'x'.repeat(99)}\n`.repeat(10_000) } });
    agent.lock('a.txt');
    agent.read('a.txt');
    const empty: number[] = [];
    const hook: number[] = [];
    for (let n = 0; n < SAMPLES; n++) {
      empty.push(took(() => runNow({ args: ['-e', ''], cwd: at.root, env: at.env })));
      const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
      hook.push(took(() => expect(agent.pre(call).exit).toBe(0)));
    }
    expect(median(hook) - median(empty)).toBeLessThan(50);
  });

  it('the hook under test is the built bundle', () => {
    expect(HOOK).toMatch(/dist\/hook\.cjs$/);
  });
});

function took(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

describe('SC-004: structured feedback', () => {
  it('every kind of denial has the envelope', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' } });
    const other = working(at);
    other.lock('b.txt', 'c.txt');
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'two\n');
    at.put('d.txt', 'new\n');
    other.pre(other.call('Write', { file_path: at.path('c.txt'), content: 'x' }));
    const kinds = [
      agent.write('a.txt', 'x').pre,
      agent.write('d.txt', 'x').pre,
      agent.write('e.txt', 'x').pre,
      agent.write('b.txt', 'x').pre,
      agent.write('c.txt', 'x').pre,
      agent.write('guard.config.json', '{}').pre,
      agent.write('\0', 'x').pre,
    ].map((answer) => expectEnvelope(answer).error_type);
    expect(kinds).toEqual([
      'STALE_FILE',
      'UNREAD_FILE',
      'NOT_LOCKED',
      'LOCKED_BY_OTHER',
      'LOCKED_BY_OTHER',
      'PROTECTED_PATH',
      'GUARD_ERROR',
    ]);
  });
});
