import { describe, expect, it } from 'vitest';
import { checkFile } from '../../src/config/check.ts';
import { UNDO_DEFAULTS, undoLimits } from '../../src/core/undo-limits.ts';

const MIB = 1 << 20;
const undo = (raw: unknown) => checkFile({ undo: raw }, 'user');

describe('"undo" in a configuration', () => {
  it('is read', () => {
    const { layer, problems } = undo({ enabled: false, max_mb: 8, max_age: '2h', exclude: ['*.db'] });
    expect(problems).toEqual([]);
    expect(layer.undo).toEqual({ enabled: false, max_mb: 8, max_age_ms: 7_200_000, exclude: ['*.db'] });
  });

  it.each([
    [1, '/undo'],
    [{ enabled: 'no' }, '/undo/enabled'],
    [{ max_mb: 0 }, '/undo/max_mb'],
    [{ max_mb: 4_097 }, '/undo/max_mb'],
    [{ max_age: '1m' }, '/undo/max_age'],
    [{ max_age: '721h' }, '/undo/max_age'],
    [{ exclude: 'x' }, '/undo/exclude'],
    [{ exclude: ['[z-a]'] }, '/undo/exclude'],
    [{ maxmb: 1 }, '/undo/maxmb'],
  ])('%j is wrong at %s', (raw, pointer) => {
    expect(undo(raw).problems.map((problem) => problem.pointer)).toEqual([pointer]);
  });
});

describe('what holds', () => {
  it('without a word: 64 MiB, a week, everything that is no secret', () => {
    expect(undoLimits([undefined, {}, {}])).toEqual(UNDO_DEFAULTS);
  });

  it("is the user's word, whatever it is", () => {
    const own = { enabled: true, max_mb: 1_000, max_age_ms: 9, exclude: ['a'] };
    expect(undoLimits([own, own, undefined])).toEqual({
      enabled: true,
      max_bytes: 1_000 * MIB,
      max_age_ms: 9,
      exclude: ['a'],
    });
  });

  it('is never more by the word of anybody else', () => {
    const theirs = { enabled: true, max_mb: 4_000, max_age_ms: 1e12, exclude: ['b'] };
    expect(undoLimits([{ max_mb: 10, enabled: false }, undefined, theirs])).toEqual({
      enabled: false,
      max_bytes: 10 * MIB,
      max_age_ms: UNDO_DEFAULTS.max_age_ms,
      exclude: ['b'],
    });
    expect(undoLimits([undefined, { max_mb: 1, enabled: false }])).toMatchObject({
      max_bytes: MIB,
      enabled: false,
    });
  });
});
