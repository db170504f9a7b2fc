import { describe, expect, it } from 'vitest';
import { checkFile } from '../../src/config/check.ts';
import { ARCHIVE_DEFAULTS, archiveLimits } from '../../src/core/archive-limits.ts';

const MIB = 1 << 20;
const archive = (raw: unknown) => checkFile({ archive_keep: raw }, 'user');

describe('"archive_keep" in a configuration', () => {
  it('is read field by field', () => {
    const { layer, problems } = archive({ max_mb: 32, max_age: '48h' });
    expect(problems).toEqual([]);
    expect(layer.archive_keep).toEqual({ max_mb: 32, max_age_ms: 172_800_000 });
  });

  it.each([
    [1, '/archive_keep'],
    [{ max_mb: 15 }, '/archive_keep/max_mb'],
    [{ max_mb: 65_537 }, '/archive_keep/max_mb'],
    [{ max_age: '23h' }, '/archive_keep/max_age'],
    [{ max_ages: '48h' }, '/archive_keep/max_ages'],
  ])('%j is refused at %s', (raw, pointer) => {
    expect(archive(raw).problems.map((problem) => problem.pointer)).toEqual([pointer]);
  });
});

describe('how much of the archive is kept', () => {
  it('is 256 MiB and 30 days where nobody says anything', () => {
    expect(archiveLimits([undefined, {}, undefined])).toEqual(ARCHIVE_DEFAULTS);
    expect(ARCHIVE_DEFAULTS).toEqual({ max_bytes: 256 * MIB, max_age_ms: 2_592_000_000 });
  });

  it("is the user's word, and never more by the word of anybody else", () => {
    const own = { max_mb: 1_000, max_age_ms: 90 };
    expect(archiveLimits([own, own, { max_mb: 4_000 }])).toEqual({ max_bytes: 1_000 * MIB, max_age_ms: 90 });
    expect(archiveLimits([own, { max_mb: 20 }, { max_age_ms: 9 }])).toEqual({
      max_bytes: 20 * MIB,
      max_age_ms: 9,
    });
    expect(archiveLimits([undefined, { max_mb: 9_000, max_age_ms: 1e12 }])).toEqual(ARCHIVE_DEFAULTS);
  });
});
