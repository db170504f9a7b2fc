import { describe, expect, it } from 'vitest';
import { createColors } from 'picocolors';
import type { CheckResult } from '../../../src/install/check.ts';
import { checkLines } from '../../../src/cli/view/check-lines.ts';

const result = (id: string, message: string, hint = ''): CheckResult => ({
  ...{ id, message, hint, facts: {}, fixable: false },
  status: hint === '' ? 'ok' : 'warn',
});
const linesOf = (...results: readonly CheckResult[]) => checkLines(results, { color: createColors(false) });

describe('the rows of guard doctor', () => {
  it('state a fault that is in many hooks once, and how many more there are', () => {
    const wrong = [1, 2, 3].map((at) => result('timeouts', `hook ${at}: timeout 60000`, 'Seconds?'));
    expect(linesOf(result('node', 'Node 20'), ...wrong)).toEqual([
      'ok   node             Node 20',
      'warn timeouts         hook 1: timeout 60000 (and 2 more like this: --json lists them)',
      '                      Seconds?',
    ]);
  });

  it('keep results apart that need different steps, or come from different checks', () => {
    const results = [
      result('a', 'one', 'x'),
      result('a', 'two', 'y'),
      result('b', 'three', 'y'),
      result('c', '4'),
    ];
    expect(linesOf(...results)).toHaveLength(7);
    expect(linesOf(result('a', 'one'), result('a', 'two'))).toHaveLength(2);
  });
});
