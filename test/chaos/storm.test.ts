import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDir, removeDir } from '../store/scratch.ts';
import { storm } from './storm.ts';

const KILLS = Number(process.env['GUARD_CHAOS_KILLS'] ?? 100);

let dir = '';
beforeEach(() => {
  dir = makeDir();
});
afterEach(() => {
  removeDir(dir);
  removeDir(`${dir}-whole`);
});

describe('a store whose writers are killed at random moments', () => {
  test.each([
    { workers: 8, share: 0.8 },
    { workers: 32, share: 0.2 },
  ])(
    'loses no grant and no release, and never has two holders: $workers writers',
    async ({ workers, share }) => {
      const report = await storm({ dir, workers, kills: Math.ceil(KILLS * share) });
      expect({ failures: report.failures, verdicts: report.verdicts, problems: report.problems }).toEqual({
        failures: [],
        verdicts: [],
        problems: [],
      });
      expect(report.kills).toBeGreaterThanOrEqual(KILLS * share);
      expect(report.acknowledged).toBeGreaterThan(report.kills);
      if (process.env['GUARD_CHAOS_REPORT'] !== undefined)
        process.stdout.write(`${JSON.stringify({ workers, ...report })}\n`);
    },
    60_000 + KILLS * 400,
  );
});
