import { expect, it } from 'vitest';
import { openTexts } from '../../../src/simulate/world/texts.ts';

it('keeps the newest texts, as much as there is room for', () => {
  const texts = openTexts(10);
  const [first, second] = [texts.keep('12345'), texts.keep('54321')];
  expect(texts.get(first)).toBe('12345');
  texts.keep('third');
  expect([texts.get(first), texts.get(second)]).toEqual(['12345', undefined]);
  const large = texts.keep('longer than all of it');
  expect([texts.get(large), texts.get(first)]).toEqual([undefined, undefined]);
});
