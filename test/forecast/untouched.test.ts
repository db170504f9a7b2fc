/** A forecast leaves a repository and its checkouts unchanged, byte for byte. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, scratchDir } from '../repo/scratch.ts';
import { forecast, git, makeHistory } from './repositories.ts';

/** Every file with its bytes, mode and time; directories with their time. */
function everythingIn(dir: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const name of fs.readdirSync(dir)) {
    const file = join(dir, name);
    const stat = fs.lstatSync(file, { bigint: true });
    const what = stat.isSymbolicLink()
      ? fs.readlinkSync(file)
      : stat.isDirectory()
        ? 'directory'
        : fs.readFileSync(file, 'latin1');
    // Instead of rewriting an existing object, git marks it as still wanted, so the time of objects may change.
    const time = file.includes('/.git/objects/') ? '' : stat.mtimeNs;
    found.set(file, [stat.mode, time, what].join(' '));
    if (stat.isDirectory()) everythingIn(file, found);
  }
  return found;
}

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

describe('a forecast touches nothing', () => {
  test.each([11, 12])(
    'no file, index, ref or object, first and later: seed %i',
    { timeout: 120_000 },
    async (seed) => {
      const base = scratchDir();
      const { dirs } = makeHistory(join(base, 'all/repo'), seed);
      for (const dir of dirs) put(join(dir, 'untracked/one.txt'), dir);
      const before = everythingIn(join(base, 'all'));
      const first = await forecast(dirs[0] ?? '', join(base, 'kept'));
      const again = await forecast(dirs[1] ?? '', join(base, 'kept'));
      expect(again).toEqual(first);
      expect(changed(before, everythingIn(join(base, 'all')))).toEqual([]);
      expect(first.pairs.length).toBeGreaterThan(0);
      expect(git(dirs[0] ?? '', 'fsck', '--no-dangling')).toBe('');
    },
  );

  test('what it keeps is below its own directory: objects, and an index for each checkout', async () => {
    const base = scratchDir();
    const { dirs } = makeHistory(join(base, 'all/repo'), 3);
    await forecast(dirs[0] ?? '', join(base, 'kept'));
    const names = fs.readdirSync(join(base, 'kept')).map((name) => name.replace(/-[0-9a-f]{16}$/, '-'));
    expect(names.sort()).toEqual(['index-', 'index-', 'index-', 'index-', 'kept.json', 'objects']);
  });
});
