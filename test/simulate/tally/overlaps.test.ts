import { describe, expect, it } from 'vitest';
import { openOverlaps, PAUSE_MS } from '../../../src/simulate/tally/overlaps.ts';

/** Each character of `deeds` is one action of the session it names; actions are a minute apart. */
function after(deeds: string, pause_ms = 60_000) {
  const overlaps = openOverlaps();
  Array.from(deeds).forEach((session, nth) => overlaps.note(session, nth * pause_ms));
  return [overlaps.pairs(), overlaps.most_at_once()];
}

describe('sessions side by side', () => {
  it.each([
    ['', 0, 0],
    ['aaa', 0, 1],
    ['aabb', 0, 1],
    ['aba', 1, 2],
    ['ababab', 1, 2],
    ['abcabc', 3, 3],
    ['abbca', 2, 3],
  ])('%s: %i pairs, %i at once', (deeds, pairs, most) => {
    expect(after(deeds)).toEqual([pairs, most]);
  });

  it('a pause that is too long ends it', () => {
    expect(after('aba', PAUSE_MS)).toEqual([0, 1]);
  });
});
