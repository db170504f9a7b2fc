import { describe, expect, test } from 'vitest';
import { check, expectedText, parseExpected } from '../../src/replay/expectation.ts';
import type { HookOutcome } from '../../src/replay/outcome.ts';
import type { Played } from '../../src/replay/play.ts';

const played = (at: number, outcome: HookOutcome, expectation?: Played['expect']): Played => ({
  at,
  line: at + 1,
  event: 'PreToolUse',
  tool: 'Edit',
  outcome,
  ...(expectation ? { expect: expectation } : {}),
});
const stale: HookOutcome = { decision: 'deny', error_type: 'STALE_FILE' };
const pass: HookOutcome = { decision: 'pass' };
const differences = (checks: ReturnType<typeof check>): (string | undefined)[] =>
  checks.map(({ differs }) => differs);

test('what was recorded is what is expected', () => {
  const session = [
    played(1, pass),
    played(2, stale),
    played(3, { decision: 'pass', context: true }),
    played(4, { decision: 'skipped' }),
  ];
  const expected = parseExpected(expectedText(session), 'x');
  expect(expected).toContainEqual({
    at: 2,
    event: 'PreToolUse',
    tool: 'Edit',
    decision: 'deny',
    error_type: 'STALE_FILE',
  });
  expect(differences(check(session, expected))).toEqual([undefined, undefined, undefined, undefined]);
});

describe('any other answer differs', () => {
  const expected = parseExpected(expectedText([played(1, stale)]), 'x');
  test.each<[string, HookOutcome, RegExp]>([
    ['passed', pass, /decision: expected "deny", got "pass"; error_type: expected "STALE_FILE", got nothing/],
    [
      'another denial',
      { decision: 'deny', error_type: 'NOT_LOCKED' },
      /error_type: expected "STALE_FILE", got "NOT_LOCKED"/,
    ],
    ['more was said', { ...stale, context: true }, /context: expected nothing, got true/],
    ['rewritten', { ...stale, rewritten: true }, /rewritten/],
  ])('%s', (_name, outcome, words) => {
    expect(differences(check([played(1, outcome)], expected))[0]).toMatch(words);
  });
});

test('another recording is recognised by its events and their number', () => {
  const expected = parseExpected(expectedText([played(1, pass), played(2, pass)]), 'x');
  expect(differences(check([played(1, pass)], expected))[0]).toMatch(/2 events expected, 1 played/);
  expect(differences(check([{ ...played(1, pass), tool: 'Write' }, played(2, pass)], expected))[0]).toMatch(
    /tool/,
  );
  expect(differences(check([played(1, pass), played(2, pass), played(3, pass)], expected))[2]).toMatch(
    /2 events expected, 3 played/,
  );
});

describe('an expectation in the recording', () => {
  test('must agree in what it names, and only there', () => {
    const agree = (outcome: HookOutcome, expectation: Played['expect']): boolean =>
      check([played(1, outcome, expectation)], null)[0]?.differs === undefined;
    expect(agree(stale, { decision: 'deny' })).toBe(true);
    expect(agree(stale, { error_type: 'NOT_LOCKED' })).toBe(false);
    expect(agree(pass, { context: false })).toBe(true);
    expect(agree({ decision: 'pass', context: true }, { context: false })).toBe(false);
    expect(agree(pass, { context: true })).toBe(false);
    expect(agree(pass, { nonsense: 1 })).toBe(false);
  });

  test('counts as one; an event without any does not', () => {
    const checks = check([played(1, pass), played(2, pass, { decision: 'pass' })], null);
    expect(checks.map(({ isChecked }) => isChecked)).toEqual([false, true]);
  });
});

test('a broken hook never agrees, even with what was recorded of it', () => {
  const broken = [played(1, { decision: 'fail', detail: 'exit 1' })];
  expect(differences(check(broken, parseExpected(expectedText(broken), 'x')))).toEqual(['exit 1']);
  expect(differences(check(broken, null))).toEqual(['exit 1']);
});

test('a broken line of expectations is named', () => {
  expect(() => parseExpected('{}\n{', 'x.expected.jsonl')).toThrow(/x\.expected\.jsonl:2/);
  expect(() => parseExpected('[]', 'x.expected.jsonl')).toThrow(/x\.expected\.jsonl:1/);
});
