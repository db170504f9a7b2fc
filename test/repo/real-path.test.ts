import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { realPath } from '../../src/repo/real-path.ts';
import { scratchDir } from './scratch.ts';

const runs = Number(process.env['GUARD_TEST_RUNS'] ?? 300);

it('agrees with the kernel: what is created through a spelling is at the path that was foretold', () => {
  const dir = scratchDir();
  const name = fc.constantFrom('a', 'b', 'c');
  const link = fc.record({
    at: fc.array(name, { minLength: 1, maxLength: 3 }),
    to: fc.array(fc.constantFrom('a', 'b', 'c', '..', '.', 'new'), { minLength: 1, maxLength: 4 }),
    absolute: fc.boolean(),
  });
  let round = 0;
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(link, { maxLength: 6 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (links, parts) => {
        const root = join(dir, `t${round++}`);
        for (const made of ['a/b/c', 'b/a', 'c/b/a']) mkdirSync(join(root, made), { recursive: true });
        for (const it of links) {
          try {
            symlinkSync((it.absolute ? `${root}/` : '') + it.to.join('/'), join(root, ...it.at));
          } catch {
            // Something already exists there, or a parent is not a directory.
          }
        }
        const given = join(root, ...parts);
        let created = true;
        let foretold: string | null = null;
        try {
          foretold = realPath(given);
        } catch {
          // Refused here, so the kernel must refuse it as well.
        }
        try {
          writeFileSync(given, 'x', { flag: 'a' });
        } catch {
          created = false;
        }
        if (!created) return;
        compared++;
        expect(foretold).toBe(realpathSync.native(given));
      },
    ),
    { numRuns: runs },
  );
  // About one tree in four allows the file to be created; skipping all of them would prove nothing.
  expect(compared).toBeGreaterThan(runs / 8);
});

it('takes a missing name as it is only where the text says the way: dots, slashes and links below what is missing count', () => {
  const dir = realpathSync.native(scratchDir());
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  symlinkSync('a/b', join(dir, 'link'));
  symlinkSync('a/new', join(dir, 'dangling'));
  const leads: Readonly<Record<string, string>> = {
    'a/x': 'a/x',
    'a/x/y/z': 'a/x/y/z',
    'a/x/': 'a/x',
    'a/x//y': 'a/x/y',
    'a/x/./y': 'a/x/y',
    'a/x/../y': 'a/y',
    'link/x': 'a/b/x',
    'link/../x': 'a/x',
    'link/x/y': 'a/b/x/y',
    dangling: 'a/new',
    'dangling/x': 'a/new/x',
  };
  const found = Object.keys(leads).map((given) => [given, realPath(`${dir}/${given}`).slice(dir.length + 1)]);
  expect(Object.fromEntries(found)).toEqual(leads);
});
