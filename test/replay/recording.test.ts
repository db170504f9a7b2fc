import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import { parseRecording, SETUP } from '../../src/replay/recording.ts';

const parse = (...lines: unknown[]) =>
  parseRecording(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    'x.jsonl',
  );

test('every line of a recorded session is an event with its payload and environment', () => {
  const dir = join(import.meta.dirname, 'sessions/recorded');
  const files = readdirSync(dir).filter((name) => !name.includes('.expected.'));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files) {
    const { steps } = parseRecording(readFileSync(join(dir, name), 'utf8'), name);
    const events = steps.filter((step) => step.kind === 'event');
    expect(events.every(({ payload }) => typeof payload['hook_event_name'] === 'string')).toBe(true);
    expect(events.length).toBeGreaterThan(3);
  }
});

test('each kind of line is told apart', () => {
  const { setup, steps } = parse(
    {
      setup: {
        files: { '/repo/a': 'x' },
        init: ['--preset', 'auto'],
        worktrees: ['/repo/w'],
        config: { a: 1 },
      },
    },
    { dt_ms: 0, stdin: { hook_event_name: 'Stop' }, env: { A: 'b' } },
    { stdin: '{"hook_event_name":"Stop"' },
    { file: { path: '/repo/a', content: 'y', keep_mtime: true } },
    { guard: ['lock', 'try', 'a'] },
    { expect: { decision: 'pass' } },
    '',
  );
  expect(setup).toEqual({
    files: { '/repo/a': 'x' },
    symlinks: {},
    init: ['--preset', 'auto'],
    worktrees: ['/repo/w'],
    config: { a: 1 },
  });
  expect(steps.map(({ kind, line }) => [kind, line])).toEqual([
    ['event', 2],
    ['event', 3],
    ['file', 4],
    ['guard', 5],
    ['expect', 6],
  ]);
});

test('text that is no JSON reaches the hook as it is', () => {
  const [event] = parse({ stdin: '{"hook_event_name"' }).steps;
  expect(event).toMatchObject({ stdin: '{"hook_event_name"', payload: {} });
});

test('an object reaches the hook as the client writes it: one line of JSON', () => {
  expect(parse({ stdin: { a: [1] } }).steps[0]).toMatchObject({ stdin: '{"a":[1]}\n', payload: { a: [1] } });
});

test('without a setup guard is initialised in an empty repository', () => {
  expect(parse({ stdin: {} }).setup).toEqual(SETUP);
  expect(parse({ setup: { init: null } }).setup.init).toBeNull();
});

describe('a line that means nothing is named', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', [1]],
    ['none of the kinds', { dt_ms: 1 }],
    ['stdin that is a number', { stdin: 1 }],
    ['an environment that is no map of texts', { stdin: {}, env: { A: 1 } }],
    ['an environment that is a list', { stdin: {}, env: [] }],
    ['a file without a change', { file: { path: '/repo/a' } }],
    ['a file with two changes', { file: { path: '/repo/a', content: '', delete: true } }],
    ['a file without a path', { file: { content: '' } }],
    ['content that is no text', { file: { path: '/repo/a', content: 1 } }],
    ['a deletion that is no truth value', { file: { path: '/repo/a', delete: 'yes' } }],
    ['a command that is no list', { guard: 'lock try a' }],
    ['an expectation that is no object', { expect: 'deny' }],
    ['a setup that is no object', { setup: [] }],
    ['files that are no texts', { setup: { files: { a: 1 } } }],
    ['arguments that are no texts', { setup: { init: [1] } }],
    ['worktrees that are no texts', { setup: { worktrees: 'w' } }],
  ])('%s', (_name, line) => {
    const parsed = (): unknown => parse({ stdin: {} }, line);
    expect(parsed).toThrow(/x\.jsonl:2: /);
    try {
      parsed();
    } catch (error) {
      expect(isGuardError(error) && [error.code, error.facts['line']]).toEqual(['GUARD_ERR_INPUT', 2]);
    }
  });

  test('a setup after the first event', () => {
    expect(() => parse({ stdin: {} }, { setup: {} })).toThrow(/"setup" comes first/);
  });
});
