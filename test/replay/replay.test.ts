import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, recordingsIn, replayFile, replayFiles, type Report } from '../../src/replay/replay.ts';
import { edit, event, stages } from './stage.ts';

const stage = stages();

describe('decisions are compared', () => {
  const session = [event('SessionStart'), ...edit('/repo/deny.txt')];

  test('with those recorded beside the recording', async () => {
    expect((await stage().play(session)).verdict).toBe('unrecorded');
    expect((await stage().play(session, { update: true })).verdict).toBe('updated');
    expect(readFileSync(join(stage().dir, 'session.expected.jsonl'), 'utf8').split('\n')).toHaveLength(4);
    expect((await stage().play(session)).verdict).toBe('match');
    const other = await stage().play([event('SessionStart'), ...edit('/repo/fine.txt')]);
    expect([other.verdict, other.checks[1]?.differs]).toEqual([
      'mismatch',
      expect.stringContaining('expected "deny", got "pass"'),
    ]);
  });

  test('with those that the recording itself expects', async () => {
    const [pre, post] = edit('/repo/deny.txt');
    const expecting = async (expectation: object): Promise<string> =>
      (await stage().play([pre ?? {}, { expect: expectation }, post ?? {}])).verdict;
    expect(await expecting({ decision: 'deny', error_type: 'STALE_FILE' })).toBe('match');
    expect(await expecting({ decision: 'pass' })).toBe('mismatch');
    expect((await stage().play([event('SessionStart'), { expect: { context: true } }])).verdict).toBe(
      'match',
    );
  });

  test('and in CI a recording that expects nothing fails', async () => {
    expect((await stage().play(session, { ci: true })).verdict).toBe('mismatch');
  });

  test('and a broken hook fails, whatever was expected', async () => {
    for (const name of ['garbage', 'crash']) {
      const lines = edit(`/repo/${name}.txt`);
      expect((await stage().play(lines, { update: true })).verdict).toBe('mismatch');
      const report = await stage().play(lines);
      expect(report.verdict).toBe('mismatch');
      expect(report.checks[0]?.differs).toContain(`/repo/${name}.txt`);
    }
  });

  test('a rewritten input is a decision', async () => {
    expect((await stage().play(edit('/repo/rewrite.txt'))).checks[0]?.outcome.rewritten).toBe(true);
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
  ])('%s', async (_name, lines, code) => {
    const report = await stage().play(lines);
    expect([report.verdict, report.error?.code]).toEqual(['broken', code]);
  });

  test('a file that is not there', async () => {
    expect((await replayFile(join(stage().dir, 'gone.jsonl'), { ...stage().options })).error?.code).toBe(
      'GUARD_ERR_IO',
    );
  });

  test('broken expectations', async () => {
    writeFileSync(join(stage().dir, 'session.expected.jsonl'), '{');
    expect((await stage().play([event('Stop')])).error?.message).toContain('session.expected.jsonl:1');
  });

  test('what a command says of the scratch directory names the recorded one', async () => {
    expect((await stage().play([{ guard: ['broken'] }])).error?.message).toContain('broken in /repo');
  });
});

test('directories are searched for recordings, expectations are none', () => {
  const { dir } = stage();
  mkdirSync(join(stage().dir, 'b/c'), { recursive: true });
  for (const name of ['z.jsonl', 'a.jsonl', 'a.expected.jsonl', 'b/c/d.jsonl', 'notes.md'])
    writeFileSync(join(stage().dir, name), '');
  expect(recordingsIn([dir, join(stage().dir, 'notes.md')])).toEqual(
    ['a.jsonl', 'b/c/d.jsonl', 'z.jsonl', 'notes.md'].map((name) => join(stage().dir, name)),
  );
  expect(() => recordingsIn([join(stage().dir, 'gone')])).toThrow(/gone does not exist/);
});

test('the exit code is that of the worst recording', () => {
  const report = (verdict: Report['verdict']): Report => ({ file: '', verdict, checks: [] });
  expect(exitCodeOf([report('match'), report('updated'), report('unrecorded')])).toBe(0);
  expect(exitCodeOf([report('match'), report('mismatch')])).toBe(1);
  expect(exitCodeOf([report('broken'), report('mismatch')])).toBe(2);
  expect(exitCodeOf([])).toBe(0);
});

test('several recordings are played at once, and reported in their order', async () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => join(stage().dir, `${name}.jsonl`));
  for (const [index, file] of files.entries()) {
    // The first recording takes longest.
    const events = Array.from({ length: 6 - index }, () => JSON.stringify(event('Stop')));
    writeFileSync(file, events.join('\n'));
  }
  let count = 0;
  const reports = await replayFiles(files, { ...stage().options, onPlayed: () => count++ });
  expect(count).toBe(5);
  expect(reports.map(({ file, checks }) => [file, checks.length])).toEqual(
    files.map((file, index) => [file, 6 - index]),
  );
  expect(
    new Set(
      stage()
        .guard.seen()
        .map(({ cwd }) => cwd),
    ).size,
  ).toBe(5);
});

test('an update is written only where it is asked for', async () => {
  await stage().play([event('Stop')], { ci: true });
  expect(existsSync(join(stage().dir, 'session.expected.jsonl'))).toBe(false);
});
