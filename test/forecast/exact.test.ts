/** A forecast matches git's real merge of the checkouts. GUARD_FORECAST_REPOSITORIES=200 tries that many. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileConflict, LineRange } from '../../src/forecast/merged.ts';
import { scratchDir } from '../repo/scratch.ts';
import { forecast, makeHistory, type RealConflicts, realMerges } from './repositories.ts';

const COUNT = Number(process.env['GUARD_FORECAST_REPOSITORIES'] ?? '4');
const FIRST = Number(process.env['GUARD_FORECAST_SEED'] ?? '1');
const IDS = ['main', 'x', 'y', 'z'];

/** `git merge-tree` names the kind of a conflict by an id, `git merge` in the words of its message. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  contents: ['content', 'add/add', 'submodule'],
  'distinct modes': ['distinct types'],
  'directory rename suggested': ['file location'],
  'directory rename collision': ['implicit dir rename'],
  'directory rename unclear split': ['directory rename split'],
  'file in way of directory rename': ['implicit dir rename'],
};
const isSaid = (kind: string, { kinds }: RealConflicts): boolean =>
  (SAID[kind] ?? [kind]).some((one) => kinds.includes(one));

/** The lines of both sides at which the forecast says that they conflict. */
function linesTold({ path, a = [], b = [] }: FileConflict, { marked }: RealConflicts) {
  const sides = marked.get(path)?.sides;
  if (sides === undefined) return [];
  const cut = (side: 0 | 1, [first, last]: LineRange) => sides[side].slice(first - 1, last);
  return a.map((range, nth) => [cut(0, range), cut(1, b[nth] ?? [1, 0])]);
}

describe('a forecast of a generated repository', () => {
  test.each(Array.from({ length: COUNT }, (_, nth) => FIRST + nth))(
    'says what merging each pair for real says: seed %i',
    { timeout: 300_000 },
    async (seed) => {
      const base = scratchDir();
      const { dirs } = makeHistory(join(base, 'repo'), seed);
      const told = await forecast(join(base, 'repo'), join(base, 'kept'));
      const { commits, mergeOf, conflictsOf, trunk } = realMerges(
        join(base, 'repo'),
        dirs,
        join(base, 'scratch'),
      );
      expect(told.checkouts.map(({ id, looked_at }) => [id, looked_at])).toEqual(
        IDS.map((id) => [id, 'files']),
      );
      const expected = IDS.flatMap((a, nth) =>
        IDS.slice(nth + 1).map((b) => ({
          a,
          b,
          ...mergeOf(commits[nth] ?? '', commits[IDS.indexOf(b)] ?? ''),
        })),
      );
      const found = expected.map(({ a, b }) => {
        const pair = told.pairs.find((one) => one.a === a && one.b === b);
        return { a, b, is_clean: pair === undefined, files: [...(pair?.files ?? [])].sort() };
      });
      expect(found.map(({ a, b, is_clean }) => [a, b, is_clean])).toEqual(
        expected.map(({ a, b, is_clean }) => [a, b, is_clean]),
      );
      // For some conflicts of renamed directories, git's index names no file.
      const named = ({ a, b }: { readonly a: string; readonly b: string }): boolean =>
        expected.some((one) => one.a === a && one.b === b && one.files.length > 0);
      expect(found.filter(named)).toEqual(expected.filter(named));
      const commitOf = (id: string): string => commits[IDS.indexOf(id)] ?? '';
      for (const { a, b, conflicts } of told.pairs) {
        const real = conflictsOf.get(`${commitOf(a)} ${commitOf(b)}`);
        if (real === undefined || !named({ a, b })) continue;
        expect(
          conflicts.filter(({ kind }) => !isSaid(kind, real)).map(({ kind }) => [kind, real.kinds]),
        ).toEqual([]);
        expect(conflicts.flatMap((one) => linesTold(one, real))).toEqual(
          conflicts.flatMap(({ path }) => real.marked.get(path)?.conflicts ?? []),
        );
      }
      const of_trunk = IDS.map((id, nth) => ({ id, ...mergeOf(trunk, commits[nth] ?? '') }));
      expect(IDS.map((id) => told.trunk.some((one) => one.id === id))).toEqual(
        of_trunk.map((one) => !one.is_clean),
      );
    },
  );
});
