import { describe, expect, it } from 'vitest';
import { inNaturalOrder } from '../../src/core/natural-order.ts';

const ordered = (...words: readonly string[]): string[] => inNaturalOrder(words, String);

describe('a list that people read', () => {
  it('has numbers by their value, wherever they stand and whatever zeros precede them', () => {
    expect(ordered('agent-10', 'agent-9', 'agent-2')).toEqual(['agent-2', 'agent-9', 'agent-10']);
    expect(ordered('v1.10/a', 'v1.9/b', 'v1.9/a')).toEqual(['v1.9/a', 'v1.9/b', 'v1.10/a']);
    expect(ordered('a010', 'a9', 'a0', 'a00000000000000000011')).toEqual([
      'a0',
      'a9',
      'a010',
      'a00000000000000000011',
    ]);
  });

  it('has capitals next to their small letters, and a prefix before what continues it', () => {
    expect(ordered('b', 'B', 'a', 'ab', 'A')).toEqual(['A', 'a', 'ab', 'B', 'b']);
  });

  it('is the same whatever order it comes in, and keeps what is equal', () => {
    const words = ['x', 'x1', 'X1', 'x01', 'x', ''];
    expect(ordered(...words.toReversed())).toEqual(ordered(...words));
  });

  it('has other letters where English readers look for them', () => {
    expect(ordered('zoo', 'éclair-10', 'éclair-9', 'egg')).toEqual(['éclair-9', 'éclair-10', 'egg', 'zoo']);
  });

  it('orders numbers that no machine number holds', () => {
    expect(ordered(`n2${'0'.repeat(30)}`, `n1${'0'.repeat(30)}`, 'n3')).toEqual([
      'n3',
      `n1${'0'.repeat(30)}`,
      `n2${'0'.repeat(30)}`,
    ]);
  });
});
