import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  exitCodeOf,
  recordingsIn,
  replayFile,
  type ReplayOptions,
  type Report,
} from '../../src/replay/replay.ts';
import { makeStubGuard, type StubGuard } from './stub-guard.ts';

let dir: string;
let guard: StubGuard;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'replay-test-'));
  guard = makeStubGuard();
});
afterEach(() => {
  for (const path of [dir, guard.root]) rmSync(path, { recursive: true, force: true });
});

const event = (name: string, fields: object = {}, env: object = {}): object => ({
  stdin: { hook_event_name: name, cwd: '/repo', ...fields },
  env,
});
const edit = (file: string, id = 'e'): object[] => {
  const tool_input = { file_path: file, old_string: 'one', new_string: 'ONE' };
  const call = { tool_name: 'Edit', tool_use_id: id, tool_input };
  return [
    event('PreToolUse', call),
    event('PostToolUse', {
      ...call,
      tool_response: { oldString: 'one', newString: 'ONE', originalFile: 'one\n' },
    }),
  ];
};

function play(lines: readonly object[], options: Partial<ReplayOptions> = {}): Report {
  const file = join(dir, 'session.jsonl');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return replayFile(file, { root: guard.root, update: false, ci: false, ...options });
}

const decisions = ({ checks }: Report): string[] =>
  checks.map(({ event: name, outcome }) => `${name} ${outcome.decision}`);

describe('a recording is played', () => {
  test('each event by a hook process of its own, with the paths of the scratch directory', () => {
    const report = play([
      event('SessionStart', { cwd: '/repo', transcript_path: '/home/user/x-/repo' }),
      ...edit('/repo/a.txt'),
    ]);
    expect(decisions(report)).toEqual(['SessionStart pass', 'PreToolUse pass', 'PostToolUse pass']);
    expect(report.checks[0]?.outcome.context).toBe(true);
    const [start, pre, post] = guard.seen();
    expect(start?.cwd).toMatch(/\/guard-replay-\w+\/repo$/);
    expect(JSON.parse(start?.stdin ?? '')).toMatchObject({ cwd: start?.cwd });
    expect([pre?.content, post?.content]).toEqual(['one\n', 'ONE\n']);
  });

  test('in the working directory that the event names, when there is one', () => {
    play([
      { setup: { files: { '/repo/sub/a': '' } } },
      event('Stop', { cwd: '/repo/sub' }),
      event('Stop', { cwd: '/repo/gone' }),
    ]);
    expect(guard.seen()[0]?.cwd).toMatch(/repo\/sub$/);
    expect(guard.seen()).toHaveLength(2);
  });

  test('with changes of somebody else in between', () => {
    play([
      { setup: { files: { '/repo/b': 'x' } } },
      event('PreToolUse', { tool_input: { file_path: '/repo/b' } }),
      { file: { path: '/repo/b', content: 'y' } },
      event('PreToolUse', { tool_input: { file_path: '/repo/b' } }),
    ]);
    expect(guard.seen().map(({ content }) => content)).toEqual(['x', 'y']);
  });

  test('a denied call has no change and no PostToolUse', () => {
    const report = play([
      ...edit('/repo/deny.txt', 'd'),
      event('PostToolBatch', { tool_input: { file_path: '/repo/deny.txt' } }),
    ]);
    expect(decisions(report)).toEqual(['PreToolUse deny', 'PostToolUse skipped', 'PostToolBatch pass']);
    expect(report.checks[0]?.outcome.error_type).toBe('STALE_FILE');
    expect(guard.seen().map(({ content }) => content)).toEqual(['one\n', 'one\n']);
  });

  test('in a git repository that guard init was run in, with the settings of the recording', () => {
    play([
      { setup: { init: ['--preset', 'strict'], config: { ttl: '1m' }, files: { '/repo/a': 'see /repo/a' } } },
      event('Stop'),
    ]);
    expect(guard.calls()).toEqual([['init', '--preset', 'strict']]);
    play([{ setup: { init: null } }, event('Stop')]);
    expect(guard.calls()).toHaveLength(1);
    play([{ setup: { init: ['--preset', 'strict'] } }, event('Stop')], { init: ['--preset', 'auto'] });
    expect(guard.calls()[1]).toEqual(['init', '--preset', 'auto']);
  });

  test('in a worktree', () => {
    play([
      { setup: { worktrees: ['/repo/.claude/worktrees/w'], files: { '/repo/a': 'x' } } },
      event('PreToolUse', {
        cwd: '/repo/.claude/worktrees/w',
        tool_input: { file_path: '/repo/.claude/worktrees/w/a' },
      }),
    ]);
    expect(guard.seen()[0]).toMatchObject({ content: 'x' });
    expect(guard.seen()[0]?.cwd).toMatch(/worktrees\/w$/);
  });

  test('with links that lead to its files', () => {
    play([
      { setup: { symlinks: { '/repo/lnk': 'sub' }, files: { '/repo/sub/x': '', '/repo/lnk/a': 'x' } } },
      event('PreToolUse', { tool_input: { file_path: '/repo/sub/a' } }),
    ]);
    expect(guard.seen()[0]?.content).toBe('x');
  });

  test('with commands that somebody ran', () => {
    play([{ guard: ['lock', 'try', '/repo/a'], env: { CLAUDE_CODE_SESSION_ID: 's1' } }, { guard: ['no'] }]);
    expect(guard.calls()[1]).toEqual([
      'lock',
      'try',
      expect.stringMatching(/guard-replay-\w+\/repo\/a$/),
      's1',
    ]);
  });

  test('with what the recording knows of the environment, and no more', () => {
    const env = {
      CLAUDE_PROJECT_DIR: '/repo',
      GUARD_AGENT_ID: 'x',
      NODE_OPTIONS: '--require /evil.js',
      PATH: '/evil',
      LD_PRELOAD: 'x',
    };
    process.env['GUARD_LEAK'] = '1';
    play([event('Stop', {}, env)]);
    delete process.env['GUARD_LEAK'];
    const seen = guard.seen()[0];
    expect(seen?.env).toMatchObject({
      CLAUDE_PROJECT_DIR: seen?.cwd,
      GUARD_AGENT_ID: 'x',
      PATH: process.env['PATH'],
    });
    expect(seen?.env['HOME']).toMatch(/guard-replay-\w+\/home$/);
    expect(
      ['NODE_OPTIONS', 'LD_PRELOAD', 'GUARD_LEAK'].filter((name) => seen?.env[name] !== undefined),
    ).toEqual([]);
  });

  test('with a living client for every one that was recorded', () => {
    play([1, 1, 2].map((pid) => event('Stop', {}, { CLAUDE_PID: `99999${pid}` })));
    const pids = guard.seen().map(({ env }) => env['CLAUDE_PID']);
    expect(guard.seen().every(({ client }) => client === true)).toBe(true);
    expect([pids[0] === pids[1], pids[0] === pids[2]]).toEqual([true, false]);
  });

  test('and nothing of it is left behind', () => {
    const scratches = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('guard-replay-'));
    const before = scratches();
    play([event('Stop'), { file: { path: '/outside', content: '' } }]);
    expect(scratches().filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('decisions are compared', () => {
  const session = [event('SessionStart'), ...edit('/repo/deny.txt')];

  test('with those recorded beside the recording', () => {
    expect(play(session).verdict).toBe('unrecorded');
    expect(play(session, { update: true }).verdict).toBe('updated');
    expect(readFileSync(join(dir, 'session.expected.jsonl'), 'utf8').split('\n')).toHaveLength(4);
    expect(play(session).verdict).toBe('match');
    const other = play([event('SessionStart'), ...edit('/repo/fine.txt')]);
    expect([other.verdict, other.checks[1]?.differs]).toEqual([
      'mismatch',
      expect.stringContaining('expected "deny", got "pass"'),
    ]);
  });

  test('with those that the recording itself expects', () => {
    const [pre, post] = edit('/repo/deny.txt');
    const expecting = (expectation: object): string =>
      play([pre ?? {}, { expect: expectation }, post ?? {}]).verdict;
    expect(expecting({ decision: 'deny', error_type: 'STALE_FILE' })).toBe('match');
    expect(expecting({ decision: 'pass' })).toBe('mismatch');
    expect(play([event('SessionStart'), { expect: { context: true } }]).verdict).toBe('match');
  });

  test('and in CI a recording that expects nothing fails', () => {
    expect(play(session, { ci: true }).verdict).toBe('mismatch');
  });

  test('and a broken hook fails, whatever was expected', () => {
    for (const name of ['garbage', 'crash']) {
      const lines = edit(`/repo/${name}.txt`);
      expect(play(lines, { update: true }).verdict).toBe('mismatch');
      const report = play(lines);
      expect(report.verdict).toBe('mismatch');
      expect(report.checks[0]?.differs).toContain(`/repo/${name}.txt`);
    }
  });

  test('a rewritten input is a decision', () => {
    expect(play(edit('/repo/rewrite.txt')).checks[0]?.outcome.rewritten).toBe(true);
  });
});

describe('a recording that cannot be played is broken, and says why', () => {
  test.each([
    ['a line that is none', [{ nonsense: 1 }], 'GUARD_ERR_INPUT'],
    ['a file outside', [{ file: { path: '/etc/x', content: '' } }], 'GUARD_ERR_PATH'],
    [
      'a directory where a file should be',
      [{ setup: { files: { '/repo/a/b': '', '/repo/a': '' } } }],
      'GUARD_ERR_IO',
    ],
    ['a command that fails', [{ guard: ['broken'] }], 'GUARD_ERR_INPUT'],
    ['an expectation of nothing', [{ expect: { decision: 'pass' } }], 'GUARD_ERR_INPUT'],
  ])('%s', (_name, lines, code) => {
    const report = play(lines);
    expect([report.verdict, report.error?.code]).toEqual(['broken', code]);
  });

  test('a file that is not there', () => {
    expect(
      replayFile(join(dir, 'gone.jsonl'), { root: guard.root, update: false, ci: false }).error?.code,
    ).toBe('GUARD_ERR_IO');
  });

  test('broken expectations', () => {
    writeFileSync(join(dir, 'session.expected.jsonl'), '{');
    expect(play([event('Stop')]).error?.message).toContain('session.expected.jsonl:1');
  });

  test('what a command says of the scratch directory names the recorded one', () => {
    expect(play([{ guard: ['broken'] }]).error?.message).toContain('broken in /repo');
  });
});

test('directories are searched for recordings, expectations are none', () => {
  mkdirSync(join(dir, 'b/c'), { recursive: true });
  for (const name of ['z.jsonl', 'a.jsonl', 'a.expected.jsonl', 'b/c/d.jsonl', 'notes.md'])
    writeFileSync(join(dir, name), '');
  expect(recordingsIn([dir, join(dir, 'notes.md')])).toEqual(
    ['a.jsonl', 'b/c/d.jsonl', 'z.jsonl', 'notes.md'].map((name) => join(dir, name)),
  );
  expect(() => recordingsIn([join(dir, 'gone')])).toThrow(/gone does not exist/);
});

test('the exit code is that of the worst recording', () => {
  const report = (verdict: Report['verdict']): Report => ({ file: '', verdict, checks: [] });
  expect(exitCodeOf([report('match'), report('updated'), report('unrecorded')])).toBe(0);
  expect(exitCodeOf([report('match'), report('mismatch')])).toBe(1);
  expect(exitCodeOf([report('broken'), report('mismatch')])).toBe(2);
  expect(exitCodeOf([])).toBe(0);
});

test('an update is written only where it is asked for', () => {
  play([event('Stop')], { ci: true });
  expect(existsSync(join(dir, 'session.expected.jsonl'))).toBe(false);
});
