/** The ordered path keys, page by page, compared with a full listing, whatever happened to the ledger and the file. */
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key, States } from '../../../src/core/ledger.ts';
import { compactLedger } from '../../../src/store/upkeep.ts';
import type { PlainStore } from '../plain.ts';
import { open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const paged = (store: PlainStore, below: string, most: number): Key[] | null =>
  store.lookSync((view) => {
    const found: Key[] = [];
    for (let after = ''; ;) {
      const page = view.keys?.(below, after, most) ?? null;
      if (page === null) return null;
      found.push(...page);
      if (page.length < most) return found;
      after = page.at(-1) ?? '';
    }
  });

const listed = (store: PlainStore, below: string): Key[] =>
  store.lookSync((view) => view.range(below).map(([key]) => key));

/** A commit, because it may write the file, while a look may not. */
const asCommit = (store: PlainStore, below: string): readonly Key[] | null =>
  store.transactSync([], (view) => ({ records: [], result: view.keys?.(below, '', 0) ?? null }));

const NAMES = [
  'a',
  'A',
  'ab',
  'a.b',
  '.',
  'ü',
  'u\u0308',
  '😀',
  '\n',
  '"',
  '\\',
  '\ud800',
  'path:',
  'x'.repeat(300),
];
const key = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.constantFrom('path:', 'path://wt/', 'paths:', 'held/1.1/a:').map((of) => of + names.join('/')),
  );
const below = fc
  .array(fc.constantFrom(...NAMES), { maxLength: 2 })
  .chain((names) =>
    fc.constantFrom('', '/').map((end) => `path:${names.join('/')}${names.length > 0 ? end : ''}`),
  );

type Act =
  | { readonly do: 'put'; readonly keys: readonly (readonly [Key, boolean])[]; readonly bytes: number }
  | { readonly do: 'list' | 'drop' | 'cut' | 'spoil' | 'junk' | 'reindex' | 'compact' };
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      keys: fc.array(fc.tuple(key, fc.boolean()), { minLength: 1, maxLength: 4 }),
      // With only a few bytes, recording the changes is not worthwhile.
      bytes: fc.constantFrom(0, 20_000),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'list' as const }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('drop', 'cut', 'spoil', 'junk', 'reindex', 'compact')
      .map((what) => ({ do: what })),
  },
);

const DOES: Readonly<Record<Exclude<Act['do'], 'put'>, (dir: string) => void>> = {
  list: (dir) => void asCommit(open(dir), 'path:'),
  drop: (dir) => rmSync(`${dir}/paths`, { force: true }),
  cut: (dir) => withFile(dir, (file) => truncateSync(file, Math.floor(statSync(file).size / 2))),
  spoil: (dir) =>
    withFile(dir, (file) => {
      const bytes = readFileSync(file);
      bytes.writeUInt8((bytes.readUInt8(bytes.length >> 1) + 1) % 256, bytes.length >> 1);
      writeFileSync(file, bytes);
    }),
  junk: (dir) => withFile(dir, (file) => appendFileSync(file, 'half a line')),
  reindex: (dir) => rmSync(`${dir}/index`, { force: true }),
  compact: (dir) => void compactLedger(dir, { now: clock(), remains: () => undefined }),
};
const statesOf = (keys: readonly (readonly [Key, boolean])[]): States =>
  Object.fromEntries(keys.map(([name, isThere]) => [name, isThere ? 1 : null]));
const withFile = (dir: string, use: (file: string) => void): void => {
  if (existsSync(`${dir}/paths`)) use(`${dir}/paths`);
};

test(
  'pages of keys are what a listing of everything has, in its order',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(act, { maxLength: 25 }),
        below,
        fc.integer({ min: 1, max: 4 }),
        (acts, from, most) =>
          withDir((dir) => {
            put(open(dir), record({ 'path:a': 1 }));
            const server = open(dir);
            for (const one of acts) {
              if (one.do === 'put')
                put(open(dir), record(statesOf(one.keys), { fact: 'x'.repeat(one.bytes) }));
              else DOES[one.do](dir);
              for (const store of [open(dir), server])
                expect(paged(store, from, most)).toEqual(listed(open(dir), from));
            }
            expect(paged(open(dir), 'path:', most)).toEqual(listed(open(dir), 'path:'));
          }),
      ),
      { numRuns: Number(process.env['GUARD_TEST_RUNS'] ?? 60) },
    ),
  120_000,
);

const many = (from: number, count: number, isThere = true): States =>
  statesOf(
    Array.from({ length: count }, (_, n) => [
      `path:dir-${(from + n) % 7}/${'long-'.repeat(20)}${from + n}`,
      isThere,
    ]),
  );

test('what came since is added to the file, until it is worth to write all of it anew', () =>
  withDir((dir) => {
    const file = `${dir}/paths`;
    const sizes: number[] = [];
    for (let at = 0; at < 2_000; at += 100) {
      put(open(dir, { segment_bytes: 1 << 20 }), record(many(at, 100)));
      put(open(dir, { segment_bytes: 1 << 20 }), record(many(at, 10, false)));
      asCommit(open(dir), 'path:');
      sizes.push(readFileSync(file, 'utf8').split('\n').length);
      expect(paged(open(dir), 'path:dir-3/', 50)).toEqual(listed(open(dir), 'path:dir-3/'));
    }
    const grown = sizes.filter((lines, n) => lines === (sizes[n - 1] ?? 0) + 1).length;
    expect(grown).toBeGreaterThan(2);
    expect(grown).toBeLessThan(15);
    expect(listed(open(dir), 'path:').length).toBe(1_800);
  }));

test('a look writes nothing, and sees what came since all the same', () =>
  withDir((dir) => {
    put(open(dir), record({ 'path:a': 1 }));
    expect(paged(open(dir), 'path:', 10)).toEqual(['path:a']);
    expect(existsSync(`${dir}/paths`)).toBe(false);
    asCommit(open(dir), 'path:');
    const before = readFileSync(`${dir}/paths`);
    put(open(dir), record({ 'path:b': 1 }, { fact: 'x'.repeat(20_000) }));
    expect(paged(open(dir), 'path:', 10)).toEqual(['path:a', 'path:b']);
    expect(readFileSync(`${dir}/paths`)).toEqual(before);
  }));

test('what is listed there of another ledger counts for nothing', () =>
  withDir((dir) =>
    withDir((other) => {
      for (const [at, name] of [
        [dir, 'a'],
        [other, 'b'],
      ] as const) {
        put(open(at), record({ [`path:${name}`]: 1 }));
        asCommit(open(at), 'path:');
      }
      writeFileSync(`${dir}/paths`, readFileSync(`${other}/paths`), { mode: 0o600 });
      expect(paged(open(dir), 'path:', 10)).toEqual(['path:a']);
    }),
  ));

test.each([
  ['something came into the range', { 'path:src/b': 1 }, 'moved'],
  ['something in it went', { 'path:src/a': null }, 'moved'],
  ['something came behind the page', { 'path:src/z': 1 }, 'done'],
  ['something came elsewhere', { 'path:lib/b': 1 }, 'done'],
  ['what was there changed', { 'path:src/a': 2 }, 'done'],
] as const)('a commit that rests on a page of keys, when %s: %s is %s', (_, meanwhile, verdict) =>
  withDir((dir) => {
    const { store } = open(dir);
    put(open(dir), record({ 'path:src/a': 1, 'path:src/c': 1, 'path:src/d': 1 }));
    const { tip, lists } = store.look([], [{ below: 'path:src/', since: 0, most: 2, after: '' }]);
    expect(lists[0]?.keys).toEqual(['path:src/a', 'path:src/c']);
    put(open(dir), record(meanwhile));
    const read = { tip, lists, keys: new Map<string, number>() };
    expect(store.commit(read, [record({ x: 1 })]).verdict).toBe(verdict);
  }),
);

test('keys that were last written before are left out where that is asked for', () =>
  withDir((dir) => {
    put(open(dir), record({ 'path:old': 1, 'path:touched': 1 }));
    const since = put(open(dir), record({ 'path:new': 1, 'path:touched': 2 }));
    const keys = open(dir).lookSync((view) => view.keys?.('path:', '', 0, since));
    expect(keys).toEqual(['path:new', 'path:touched']);
  }));

const LONG = { fact: 'x'.repeat(20_000) };

test.each([
  ['went and came again', { 'path:a': 1 }, [null, 1]],
  ['came and went again', {}, [1, null]],
] as const)('a key that %s, each time written down, is listed as it is', (_, first, then) =>
  withDir((dir) => {
    put(open(dir), record({ 'path:b': 1, ...first }));
    asCommit(open(dir), 'path:');
    for (const state of then) {
      put(open(dir), record({ 'path:a': state }, LONG));
      asCommit(open(dir), 'path:');
    }
    expect(paged(open(dir), 'path:', 10)).toEqual(listed(open(dir), 'path:'));
  }),
);

test('a file that was put back to where it was takes no later changes for all', () =>
  withDir((dir) => {
    const file = `${dir}/paths`;
    put(open(dir), record({ 'path:a': 1 }));
    asCommit(open(dir), 'path:');
    const slow = readFileSync(file);
    put(open(dir), record({ 'path:b': 1 }, LONG));
    asCommit(open(dir), 'path:');
    put(open(dir), record({ 'path:c': 1 }, LONG));
    const before = readFileSync(file).length;
    asCommit(open(dir), 'path:');
    // A slow look without the lock rewrote the file, and renamed it over a newer one.
    writeFileSync(file, Buffer.concat([slow, readFileSync(file).subarray(before)]));
    expect(paged(open(dir), 'path:', 10)).toEqual(['path:a', 'path:b', 'path:c']);
  }));

test('changes that were added to a file made anew meanwhile name no key twice', () =>
  withDir((dir) => {
    const file = `${dir}/paths`;
    put(open(dir), record({ 'path:a': 1 }));
    asCommit(open(dir), 'path:');
    put(open(dir), record({ 'path:b': 1 }, LONG));
    const before = readFileSync(file).length;
    asCommit(open(dir), 'path:');
    const line = readFileSync(file).subarray(before);
    DOES.drop(dir);
    DOES.list(dir);
    appendFileSync(file, line);
    expect(paged(open(dir), 'path:', 10)).toEqual(['path:a', 'path:b']);
  }));

test('what a step read of the file before others came is written down with what they did', () =>
  withDir((dir) => {
    put(open(dir), record({ 'path:a': 1 }));
    asCommit(open(dir), 'path:');
    put(open(dir), record({ 'path:b': 1 }));
    let runs = 0;
    open(dir).transactSync([], (view) => {
      view.keys?.('path:', '', 0);
      if (runs++ === 0) put(open(dir), record({ 'path:c': 1 }, LONG));
      return { records: [record({ n: 1 })], result: null };
    });
    expect(paged(open(dir), 'path:', 10)).toEqual(['path:a', 'path:b', 'path:c']);
  }));
