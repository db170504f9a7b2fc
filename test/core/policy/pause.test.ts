import { describe, expect, it } from 'vitest';
import { MAX_OFF_MS, pausedBy, runningPause } from '../../../src/core/policy/pause.ts';

const NOW = { wall_ms: 1_000_000 };
const pause = { since_wall_ms: 999_000, until_wall_ms: 1_060_000, by: 'ann' };

describe('a pause', () => {
  it.each([
    ['runs', pause, pause],
    ['is over', { ...pause, until_wall_ms: 1_000_000 }, null],
    ['begins in the future', { ...pause, since_wall_ms: 1_000_001 }, null],
    ['is longer than any', { ...pause, until_wall_ms: pause.since_wall_ms + MAX_OFF_MS + 1 }, null],
    ['has no end', { since_wall_ms: 0 }, null],
    ['is of nobody', { ...pause, by: 3 }, { ...pause, by: 'unknown' }],
    ['is none', null, null],
    ['is a word', 'off', null],
  ])('that %s', (_, said, counts) => {
    expect(runningPause(said, NOW)).toEqual(counts);
  });

  it('counts where it was made, and for files that no repository guards', () => {
    const placed = (name: string, initialised: boolean) => ({ name, repo: { initialised } });
    const home = placed('home', true);
    expect(pausedBy(placed('other', true), home).name).toBe('other');
    expect(pausedBy(placed('nowhere', false), home).name).toBe('home');
  });
});
