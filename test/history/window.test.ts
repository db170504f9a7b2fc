import { describe, expect, it } from 'vitest';
import { isWithin, lengthIn, touches } from '../../src/history/window.ts';
import { span } from './spans.ts';

const WINDOW = { from_ms: 100, to_ms: 200 };

describe('a span in a window', () => {
  it.each([
    ['before it', 50, 90, false, 0],
    ['up to its first moment', 50, 100, true, 0],
    ['across its beginning', 50, 130, true, 30],
    ['inside it', 120, 150, true, 30],
    ['across all of it', 50, 300, true, 100],
    ['that nothing has ended', 150, null, true, 50],
    ['after it', 201, null, false, 0],
  ])('%s', (_, from_ms, to_ms, is_in, length_ms) => {
    const one = span('a', 'ann', from_ms, { to_ms });
    expect([touches(one, WINDOW), lengthIn(one, WINDOW)]).toEqual([is_in, length_ms]);
  });

  it('has both of its ends', () => {
    expect([99, 100, 200, 201].map((ms) => isWithin(ms, WINDOW))).toEqual([false, true, true, false]);
  });
});
