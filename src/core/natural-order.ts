/**
 * The order of a list that people read: `agent-2` before `agent-10`. Loading the tables of Intl.Collator takes a cold process
 * 6 ms, a quarter of an empty one, so only words with other letters than English ones need it.
 */
export function inNaturalOrder<T>(all: readonly T[], wordOf: (one: T) => string): T[] {
  if (all.some((one) => OTHER.test(wordOf(one)))) {
    const { compare } = new Intl.Collator('en', { numeric: true });
    return all.toSorted((a, b) => compare(wordOf(a), wordOf(b)));
  }
  const keyed = all.map((one) => ({ one, key: keyOf(wordOf(one)) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
}

const OTHER = /[\u0080-\uffff]/;
const ZERO = '0'.charCodeAt(0);
const LONGEST = 64;

/** Each number is preceded by a character for its length, so that keys compare as numbers do; case decides last. */
const keyOf = (word: string): string =>
  `${word.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits;
    return String.fromCharCode(ZERO + Math.min(number.length, LONGEST)) + number;
  })}\0${word}`;
