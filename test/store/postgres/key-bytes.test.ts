import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfKey, keyOfHex } from '../../../src/store/postgres/key-bytes.ts';

const units = fc.array(fc.nat(0xffff), { maxLength: 8 }).map((all) => String.fromCharCode(...all));
const text = fc.oneof(
  units,
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', 'a:b', '\ud83d', '😀', '\uffff', 'ü'),
);

test('every key comes back as it was', () => {
  fc.assert(fc.property(text, (key) => keyOfHex(bytesOfKey(key).toString('hex')) === key));
});

test('bytes sort as the keys do', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(Buffer.compare(bytesOfKey(a), bytesOfKey(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('what a key begins with its bytes begin with, and nothing else', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [begin, whole] = [bytesOfKey(a), bytesOfKey(b)];
      expect(whole.subarray(0, begin.length).equals(begin)).toBe(b.startsWith(a));
    }),
  );
});
