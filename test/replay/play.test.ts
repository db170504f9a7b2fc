import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/replay/replay.ts';
import { edit, event, stages } from './stage.ts';

const stage = stages();
const decisions = ({ checks }: Report): string[] =>
  checks.map(({ event: name, outcome }) => `${name} ${outcome.decision}`);

test('each event by a hook process of its own, with the paths of the scratch directory', async () => {
  const report = await stage().play([
    event('SessionStart', { cwd: '/repo', transcript_path: '/home/user/x-/repo' }),
    ...edit('/repo/a.txt'),
  ]);
  expect(decisions(report)).toEqual(['SessionStart pass', 'PreToolUse pass', 'PostToolUse pass']);
  expect(report.checks[0]?.outcome.context).toBe(true);
  const [start, pre, post] = stage().guard.seen();
  expect(start?.cwd).toMatch(/\/guard-replay-\w+\/repo$/);
  expect(JSON.parse(start?.stdin ?? '')).toMatchObject({ cwd: start?.cwd });
  expect([pre?.content, post?.content]).toEqual(['one\n', 'ONE\n']);
});

test('in the working directory that the event names, when there is one', async () => {
  await stage().play([
    { setup: { files: { '/repo/sub/a': '' } } },
    event('Stop', { cwd: '/repo/sub' }),
    event('Stop', { cwd: '/repo/gone' }),
  ]);
  expect(stage().guard.seen()[0]?.cwd).toMatch(/repo\/sub$/);
  expect(stage().guard.seen()).toHaveLength(2);
});

test('with changes of somebody else in between', async () => {
  await stage().play([
    { setup: { files: { '/repo/b': 'x' } } },
    event('PreToolUse', { tool_input: { file_path: '/repo/b' } }),
    { file: { path: '/repo/b', content: 'y' } },
    event('PreToolUse', { tool_input: { file_path: '/repo/b' } }),
  ]);
  expect(
    stage()
      .guard.seen()
      .map(({ content }) => content),
  ).toEqual(['x', 'y']);
});

test('with bytes as they are, whatever their base64 looks like', async () => {
  const base64 = '+/repo+A';
  const tool_input = { file_path: '/repo/b' };
  await stage().play([{ file: { path: '/repo/b', base64 } }, event('PreToolUse', { tool_input })]);
  expect(stage().guard.seen()[0]?.content).toBe(Buffer.from(base64, 'base64').toString('utf8'));
});

test('a denied call has no change and no PostToolUse', async () => {
  const report = await stage().play([
    ...edit('/repo/deny.txt', 'd'),
    event('PostToolBatch', { tool_input: { file_path: '/repo/deny.txt' } }),
  ]);
  expect(decisions(report)).toEqual(['PreToolUse deny', 'PostToolUse skipped', 'PostToolBatch pass']);
  expect(report.checks[0]?.outcome.error_type).toBe('STALE_FILE');
  expect(
    stage()
      .guard.seen()
      .map(({ content }) => content),
  ).toEqual(['one\n', 'one\n']);
});

test('in a git repository that guard init was run in, with the settings of the recording', async () => {
  await stage().play([
    { setup: { init: ['--preset', 'strict'], config: { ttl: '1m' }, files: { '/repo/a': 'see /repo/a' } } },
    event('Stop'),
  ]);
  expect(stage().guard.calls()).toEqual([['init', '--preset', 'strict']]);
  await stage().play([{ setup: { init: null } }, event('Stop')]);
  expect(stage().guard.calls()).toHaveLength(1);
  await stage().play([{ setup: { init: ['--preset', 'strict'] } }, event('Stop')], {
    init: ['--preset', 'auto'],
  });
  expect(stage().guard.calls()[1]).toEqual(['init', '--preset', 'auto']);
});

test('in a worktree', async () => {
  await stage().play([
    { setup: { worktrees: ['/repo/.claude/worktrees/w'], files: { '/repo/a': 'x' } } },
    event('PreToolUse', {
      cwd: '/repo/.claude/worktrees/w',
      tool_input: { file_path: '/repo/.claude/worktrees/w/a' },
    }),
  ]);
  expect(stage().guard.seen()[0]).toMatchObject({ content: 'x' });
  expect(stage().guard.seen()[0]?.cwd).toMatch(/worktrees\/w$/);
});

test('with links that lead to its files', async () => {
  await stage().play([
    { setup: { symlinks: { '/repo/lnk': 'sub' }, files: { '/repo/sub/x': '', '/repo/lnk/a': 'x' } } },
    event('PreToolUse', { tool_input: { file_path: '/repo/sub/a' } }),
  ]);
  expect(stage().guard.seen()[0]?.content).toBe('x');
});

test('with commands that somebody ran', async () => {
  await stage().play([
    { guard: ['lock', 'try', '/repo/a'], env: { CLAUDE_CODE_SESSION_ID: 's1' } },
    { guard: ['no'] },
  ]);
  expect(stage().guard.calls()[1]).toEqual([
    'lock',
    'try',
    expect.stringMatching(/guard-replay-\w+\/repo\/a$/),
    's1',
  ]);
});

test('with what the recording knows of the environment, and no more', async () => {
  const env = {
    CLAUDE_PROJECT_DIR: '/repo',
    GUARD_AGENT_ID: 'x',
    NODE_OPTIONS: '--require /evil.js',
    PATH: '/evil',
    LD_PRELOAD: 'x',
  };
  process.env['GUARD_LEAK'] = '1';
  await stage().play([event('Stop', {}, env)]);
  delete process.env['GUARD_LEAK'];
  const seen = stage().guard.seen()[0];
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

test('with a living client for every one that was recorded', async () => {
  await stage().play([1, 1, 2].map((pid) => event('Stop', {}, { CLAUDE_PID: `99999${pid}` })));
  const pids = stage()
    .guard.seen()
    .map(({ env }) => env['CLAUDE_PID']);
  expect(
    stage()
      .guard.seen()
      .every(({ client }) => client === true),
  ).toBe(true);
  expect([pids[0] === pids[1], pids[0] === pids[2]]).toEqual([true, false]);
});

test('and nothing of it is left behind, whether it ends or breaks', async () => {
  await stage().play([event('Stop')]);
  const broken = await stage().play([event('Stop'), { file: { path: '/outside', content: '' } }]);
  expect(broken.verdict).toBe('broken');
  const roots = stage()
    .guard.seen()
    .map(({ cwd }) => join(cwd, '..'));
  expect(roots.map((root) => existsSync(root))).toEqual([false, false]);
});
