import { describe, expect, test } from 'vitest';
import { hubsOf, orderOf } from '../../src/forecast/order.ts';

const LEAVES = ['l1', 'l2', 'l3', 'l4'];
const HUB = LEAVES.map((leaf) => ['hub', leaf] as const);

describe('the order of merging', () => {
  test('has everything first where nothing conflicts', () => {
    expect(orderOf(['a', 'b'], new Set(), [])).toEqual({ first: ['a', 'b'], then: [] });
  });

  test('puts one that meets all the others last: one stop instead of four', () => {
    expect(orderOf(['hub', ...LEAVES], new Set(), HUB)).toEqual({ first: LEAVES, then: ['hub'] });
  });

  test('never begins with what does not merge with the trunk', () => {
    expect(orderOf(['a', 'b'], new Set(['a']), [])).toEqual({ first: ['b'], then: ['a'] });
  });

  test('of two that conflict one goes first', () => {
    expect(orderOf(['a', 'b', 'c'], new Set(), [['a', 'b']])).toEqual({ first: ['c', 'a'], then: ['b'] });
  });
});

describe('a hub', () => {
  test('meets three others, and far more than is usual', () => {
    expect(hubsOf(['hub', ...LEAVES], HUB)).toEqual([{ id: 'hub', meets: 4 }]);
  });

  test('is not there where everybody meets everybody', () => {
    const all = LEAVES.flatMap((a, nth) => LEAVES.slice(nth + 1).map((b) => [a, b] as const));
    expect(hubsOf(LEAVES, all)).toEqual([]);
  });
});
