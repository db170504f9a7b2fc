import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/config/suggest.ts';

const NAMES = ['enforcement', 'unread', 'ttl', 'release_on', 'durability'];

it('a slip of the finger finds its key, another word does not', () => {
  for (const [given, name] of [
    ['unred', 'unread'],
    ['Unread', 'unread'],
    ['releaseOn', 'release_on'],
    ['release-on', 'release_on'],
    ['enforcment', 'enforcement'],
    ['tll', 'ttl'],
    ['durablity', 'durability'],
  ] as const) {
    expect(nearest(given, NAMES)).toBe(name);
  }
  for (const given of ['engine', 'hooks', '', 'x'.repeat(10_000)]) expect(nearest(given, NAMES)).toBeNull();
  expect(didYouMean('engine', ['a', 'b'])).toBe('Possible: "a", "b".');
});
