import { expect, test } from 'vitest';
import { isSealed, sealPage } from '../../../src/store/embedded/page.ts';

const page = (): Int32Array => Int32Array.from({ length: 128 }, (_, at) => at * 0x01234567);

test('the sum of a page is the one that every version has written', () => {
  expect(sealPage(page(), 7)[127]).toBe(-1702443815);
});

test('every word of a page and its number count', () => {
  for (let at = 0; at < 128; at++) {
    const sealed = sealPage(page(), 7);
    expect(isSealed(sealed, 7)).toBe(true);
    expect(isSealed(sealed, 8)).toBe(false);
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    expect(isSealed(sealed, 7)).toBe(false);
  }
});
