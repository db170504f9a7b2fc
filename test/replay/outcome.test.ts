import { describe, expect, test } from 'vitest';
import { context, deny, block, rewriteInput, SILENT } from '../../src/claude/output.ts';
import type { Denial } from '../../src/core/denial.ts';
import { outcomeOf } from '../../src/replay/outcome.ts';

const answer = (
  exit: number | null,
  stdout = '',
  stderr = '',
  event = 'PreToolUse',
): ReturnType<typeof outcomeOf> => outcomeOf({ exit, stdout, stderr }, event);

describe('what guard itself prints is understood', () => {
  const denial = {
    error_type: 'STALE_FILE',
    message: 'm',
    details: { path: '/repo/a' },
    recovery_hint: 'h',
  } as unknown as Denial;
  test.each([
    ['no objection', SILENT, { decision: 'pass' }],
    ['a denial', deny(denial), { decision: 'deny', error_type: 'STALE_FILE' }],
    ['a note', context('Stop', ['hello']), { decision: 'pass', context: true }],
    ['a rewritten command', rewriteInput({ command: 'x' }), { decision: 'pass', rewritten: true }],
    ['a refused settings change', block('no'), { decision: 'deny' }],
  ])('%s', (_name, output, outcome) => {
    expect(outcomeOf(output, 'PreToolUse')).toEqual(outcome);
  });
});

test('exit 2 refuses whatever is on stdout, as the client takes it, but garbage there is a failure', () => {
  expect(answer(2).decision).toBe('deny');
  expect(answer(2, 'garbage').decision).toBe('fail');
});

test('a refusal as JSON refuses with exit 0 too', () => {
  expect(
    answer(0, '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}').decision,
  ).toBe('deny');
});

test('the path of a new worktree is no objection, and as the answer of another event it is text', () => {
  expect(answer(0, '/repo/.claude/worktrees/a\n', '', 'WorktreeCreate')).toEqual({ decision: 'pass' });
  expect(answer(0, 'no path\n', '', 'WorktreeCreate').decision).toBe('fail');
  expect(answer(2, '', 'GUARD_ERR_WORKTREE', 'WorktreeCreate').decision).toBe('deny');
  expect(answer(0, '/repo/.claude/worktrees/a\n').decision).toBe('fail');
});

test.each([
  ['another exit code', 1, ''],
  ['a signal', null, ''],
  ['text', 0, 'hello'],
  ['text after the JSON', 0, '{}\nhello'],
  ['JSON that is no object', 0, '[]'],
])('%s is a broken hook', (_name, exit, stdout) => {
  expect(answer(exit, stdout, 'why').decision).toBe('fail');
  expect(answer(exit, stdout, 'why').detail).toContain('why');
});
