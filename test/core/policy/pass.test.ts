import { describe, expect, it } from 'vitest';
import { passCovers, isRunning, VETO_PASS_MS } from '../../../src/core/policy/pass.ts';
import type { Digest } from '../../../src/core/types.ts';

const digest = (text: string): Digest => text;
const pass = {
  until_wall_ms: 100_000,
  by: 'ann',
  files: [
    { file: '/r/s.json', digest: digest('d1') },
    { file: '/r/gone.json', digest: null },
  ],
};

describe('a pass for guard’s own change', () => {
  it.each([
    ['while it lasts', 99_999, true],
    ['not at its end', 100_000, false],
    ['not where it lasts longer than guard makes them', 100_000 - VETO_PASS_MS - 1, false],
  ])('%s', (_, wall_ms, runs) => {
    expect(isRunning(pass, { wall_ms })).toBe(runs);
  });

  it.each([
    ['the file as guard writes it', '/r/s.json', digest('d1'), true],
    ['the file that guard removes', '/r/gone.json', null, true],
    ['other content', '/r/s.json', digest('d2'), false],
    ['a removed file that guard writes', '/r/s.json', null, false],
    ['another file', '/r/x.json', digest('d1'), false],
  ])('is for %s', (_, file, found, is_covered) => {
    expect(passCovers(pass, { file, digest: found })).toBe(is_covered);
  });
});
