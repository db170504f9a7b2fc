/** The newest keys, from the end of the ledger or from the index: asking for few or for many gives the same. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key, Lsn, States } from '../../../src/core/ledger.ts';
import { forged, linesOf } from '../../chaos/forge.ts';
import { files, open, put, record } from '../kit.ts';
import { withDir } from '../scratch.ts';

const key = fc.constantFrom('path:a', 'path:b', 'path:c/d', 'path:é', 'agent:a', 'paths:x');
const commits = fc.array(
  fc.record({
    keys: fc.array(fc.tuple(key, fc.boolean()), { maxLength: 3 }),
    bytes: fc.constantFrom(0, 40_000),
    said: fc.constantFrom('x', '\u0001', '"path:'),
    segment_bytes: fc.constantFrom(650, 1 << 20),
  }),
  { maxLength: 15 },
);

/** As promised: keys by their newest record, in whole records, until there are enough. */
function expected(all: ReadonlyMap<Key, Lsn>, most: number): Key[] {
  const found: Key[] = [];
  for (const lsn of [...new Set(all.values())].sort((a, b) => b - a)) {
    if (found.length >= most) break;
    found.push(...[...all].filter(([, of]) => of === lsn).map(([name]) => name));
  }
  return found.sort();
}

test(
  'the newest so many keys are those of the newest records',
  () =>
    fc.assert(
      fc.asyncProperty(commits, fc.integer({ min: 1, max: 5 }), (acts, most) =>
        withDir((dir) => {
          const all = new Map<Key, Lsn>();
          for (const { keys, bytes, said, segment_bytes } of acts) {
            const s: States = Object.fromEntries(keys.map(([name, isThere]) => [name, isThere ? 1 : null]));
            const lsn = put(
              open(dir, { segment_bytes }),
              record(s, { fact: said.repeat(bytes / said.length) }),
            );
            for (const [name, state] of Object.entries(s))
              if (state === null) all.delete(name);
              else if (name.startsWith('path:')) all.set(name, lsn);
          }
          const found = open(dir).lookSync((view) => view.range('path:', 0, most).map(([name]) => name));
          expect(found).toEqual(expected(all, most));
          const many = open(dir).lookSync((view) => view.range('path:', 0, 1_000).map(([name]) => name));
          expect(many).toEqual([...all.keys()].sort());
        }),
      ),
      { numRuns: Number(process.env['GUARD_TEST_RUNS'] ?? 100) },
    ),
  60_000,
);

/** A ledger of three records, the last of which is changed and sealed again. Its index is made anew. */
const changed = (change: (text: string) => string, look: (found: () => Key[]) => void) =>
  withDir((dir) => {
    for (const name of ['path:a', 'agent:b', 'path:c']) put(open(dir), record({ [name]: 1 }));
    const file = join(dir, files(dir, 'ledger-')[0] ?? '');
    const whole = readFileSync(file);
    writeFileSync(file, forged(whole, linesOf(whole).length - 1, change));
    rmSync(join(dir, 'index'));
    look(() => open(dir).lookSync((view) => view.range('path:', 0, 2).map(([name]) => name)));
  });

test('a key that is spelled with escapes is among the newest', () =>
  changed(
    (text) => text.replace('"path:c"', String.raw`"\u0070ath:c"`),
    (found) => expect(found()).toEqual(['path:a', 'path:c']),
  ));
