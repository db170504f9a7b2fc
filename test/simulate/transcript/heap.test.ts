import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heapOf } from '../../../src/simulate/transcript/heap.ts';

it('a heap hands out what was put in, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = heapOf<number>((a, b) => a < b);
      numbers.forEach((one) => heap.push(one));
      expect(numbers.map(() => heap.pop())).toEqual(numbers.toSorted((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});
