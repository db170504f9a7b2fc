/** The slots of one kind, found by their last word, are those found one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachSlot } from '../../../src/store/embedded/each-slot.ts';
import { newHeader } from '../../../src/store/embedded/header.ts';
import { openPages } from '../../../src/store/embedded/pages.ts';
import { formatTable, grow, setSlot } from '../../../src/store/embedded/table.ts';
import type { Fingerprint } from '../../../src/store/fingerprint.ts';

const HIGH = 0x1_0000_0000;
const kinds = [1, 7, 0x7fff, 0x8000, 0xfffd, 0xfffe];
/** Words that look like the last ones of slots, and any others. */
const word = fc.oneof(
  fc.constantFrom(...kinds.flatMap((kind) => [(kind << 16) >>> 0, ((kind << 16) | 1) >>> 0])),
  fc.nat({ max: 0xffffffff }),
);
const lsn = fc.oneof(word, fc.integer({ min: HIGH, max: 3 * HIGH }));
const slot = fc.record({ a: word, b: word, kind: fc.constantFrom(...kinds), lsn });

test('the slots of a kind are those of all that have it', () => {
  let many = 0;
  fc.assert(
    fc.property(fc.array(slot, { maxLength: 400, size: 'max' }), (slots) => {
      const pages = openPages(undefined);
      const { shape } = newHeader('boot');
      formatTable(pages, shape);
      for (const { lsn: at, ...print } of slots) {
        setSlot(pages, shape, print, at, () => true);
        grow(pages, shape, 0);
      }
      const all: [Fingerprint, number][] = [];
      eachSlot(pages, shape, undefined, (print, at) => all.push([print, at]));
      const end = Math.max(1, ...slots.map((one) => one.lsn));
      const found: [Fingerprint, number][] = [];
      for (const kind of kinds) eachSlot(pages, shape, { kind, end }, (print, at) => found.push([print, at]));
      many += found.length;
      const sorted = (list: typeof all) => list.map((one) => JSON.stringify(one)).sort();
      expect(sorted(found)).toEqual(sorted(all));
    }),
    { numRuns: 40, seed: 1 },
  );
  expect(many).toBeGreaterThan(1_000);
});
