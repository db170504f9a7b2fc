import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compactIsDue, compactLedger } from '../../../src/store/embedded/compact.ts';
import type { CompactOptions, CompactReport } from '../../../src/store/embedded/compact-report.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { bundleText, writeBundle } from '../bundle.ts';
import { files, fill, open, put, record, SEGMENT_BYTES } from '../kit.ts';
import { clock, run, withDir } from '../scratch.ts';

const compact = (dir: string, options: Partial<CompactOptions> = {}): CompactReport =>
  compactLedger(dir, {
    now: clock(),
    segment_bytes: SEGMENT_BYTES,
    keep_bytes: 2 * SEGMENT_BYTES,
    ...options,
  });
const states = (dir: string): unknown => open(dir).readSync([], ['']).range('');
const DAY_MS = 86_400_000;

describe('compaction', () => {
  test('keeps every state, ends with fewer segments, and archives the others as they were', () =>
    withDir((dir) => {
      for (let at = 0; at < 30; at++)
        put(
          open(dir),
          record({ [`once:${at}`]: at, hot: at, ...(at > 3 ? { [`once:${at - 3}`]: null } : {}) }),
        );
      const [expected, before, end] = [states(dir), files(dir, 'ledger-'), open(dir).tip()];
      const old = readFileSync(`${dir}/${before[0] ?? ''}`, 'latin1');
      const report = compact(dir);
      expect(states(dir)).toEqual(expected);
      expect(report.archived.length).toBeGreaterThan(3);
      expect(files(`${dir}/archive`)).toEqual(report.archived);
      expect(readFileSync(`${dir}/archive/${before[0] ?? ''}`, 'latin1')).toBe(old);
      expect(files(dir, 'ledger-').length).toBeLessThan(before.length);
      expect(verifyLedger(dir, { now: clock() })).toMatchObject({
        ok: true,
        notes: [{ kind: 'compacted', lsn: report.first }],
      });
      expect(put(open(dir), record({ k: 1 }))).toBeGreaterThan(end);
    }));

  test('says how far it has come, up to the first byte that stays', () =>
    withDir((dir) => {
      const store = open(dir);
      for (let at = 0; at < 400; at++) put(store, record({ [`once:${at}`]: at }));
      const heard: (readonly [number, number])[] = [];
      const { first } = compact(dir, { onCarried: (bytes, total) => heard.push([bytes, total]) });
      const [total] = new Set(heard.map(([, of]) => of));
      const sum = heard.reduce((all, [bytes]) => all + bytes, 0);
      expect(heard.length).toBeGreaterThan(1);
      expect(heard.every(([bytes]) => bytes > 0)).toBe(true);
      expect(total).toBe(first - 1);
      expect(sum / (total ?? 0)).toBeGreaterThan(0.9);
      expect(sum).toBeLessThan(total ?? 0);
    }));

  test('leaves a ledger that is short alone', () =>
    withDir((dir) => {
      fill(dir, 4);
      expect(compact(dir)).toMatchObject({ first: 1, carried: 0, archived: [] });
      expect(open(dir).tip()).toBe(verifyLedger(dir, { now: clock() }).end);
    }));

  test('can be done again and again, and removed keys do not come back', () =>
    withDir((dir) => {
      for (let round = 0; round < 5; round++) {
        fill(dir, 20);
        put(open(dir), record({ 'path:0': null, [`round:${round}`]: round }));
        compact(dir);
      }
      expect(states(dir)).toEqual([
        ...[1, 2, 3, 4].map((key) => [`path:${key}`, 15 + key]),
        ...[0, 1, 2, 3, 4].map((round) => [`round:${round}`, round]),
      ]);
      expect(verifyLedger(dir, { now: clock() }).ok).toBe(true);
    }));

  test('forgets what it is told to, on record, and nothing that was written since', () =>
    withDir((dir) => {
      put(open(dir), record({ 'agent:gone': 1, 'agent:here': 1, 'agent:back': 1 }));
      fill(dir, 30);
      put(open(dir), record({ 'agent:back': 2 }));
      const remains = (key: string) =>
        key.startsWith('agent:') && key !== 'agent:here' ? { [key]: null } : undefined;
      expect(compact(dir, { remains })).toMatchObject({ carried: 1, forgotten: 1 });
      expect(open(dir).readSync([], ['agent:']).range('agent:')).toEqual([
        ['agent:back', 2],
        ['agent:here', 1],
      ]);
      const carries = [...open(dir).scanSync()].filter(({ type }) => type === 'ledger.carry');
      expect(carries.map(({ s }) => s)).toEqual([{ 'agent:gone': null, 'agent:here': 1 }]);
      for (const name of ['index', ...files(dir, 'checkpoint-')]) rmSync(`${dir}/${name}`);
      expect(open(dir).readSync(['agent:gone']).get('agent:gone')).toBeUndefined();
      expect(verifyLedger(dir, { now: clock() })).toMatchObject({ ok: true });
    }));

  test.each([
    ['first', ['a', 'b']],
    ['last', ['b', 'a']],
  ])('what remains of one state may change another one, carried %s', (_, [one = '', other = '']) =>
    withDir((dir) => {
      put(open(dir), record({ [one]: 1, [other]: 1 }));
      fill(dir, 30);
      const seen: unknown[] = [];
      const remains = (key: string, _state: unknown, see: (key: string) => unknown) => {
        seen.push([key, see('a'), see('b')]);
        return key === 'a' ? { a: 2, b: null } : undefined;
      };
      compact(dir, { remains });
      const after = open(dir).readSync(['a', 'b']);
      expect(['a', 'b'].map((key) => after.get(key))).toEqual([2, undefined]);
      expect(seen).toContainEqual(['a', 1, 1]);
      expect(verifyLedger(dir, { now: clock() }).ok).toBe(true);
    }),
  );

  test('remembers the ids of the records that stay', () =>
    withDir((dir) => {
      fill(dir, 20);
      put(open(dir), record({ n: 1 }, { id: 'once' }));
      compact(dir);
      put(open(dir), record({ n: 2 }, { id: 'once' }));
      expect(open(dir).readSync(['n']).get('n')).toBe(1);
    }));

  test('touches only segments that are old enough', () =>
    withDir((dir) => {
      fill(dir, 30);
      const [first = '', second = ''] = files(dir, 'ledger-');
      const longAgo = new Date(Date.now() - 40 * DAY_MS);
      for (const name of [first, second]) utimesSync(`${dir}/${name}`, longAgo, longAgo);
      const aged = { older_than_ms: 30 * DAY_MS, keep_bytes: 0 };
      expect(compact(dir, aged).archived).toEqual([first, second]);
      expect(compact(dir, aged).archived).toEqual([]);
    }));

  test('is due when the ledger has doubled, and not again until it has doubled once more', () =>
    withDir((dir) => {
      const due = (): boolean => compactIsDue(dir, 2 * SEGMENT_BYTES);
      expect(due()).toBe(false);
      fill(dir, 4);
      expect(due()).toBe(false);
      fill(dir, 30);
      expect(due()).toBe(true);
      compact(dir);
      expect(due()).toBe(false);
      // Many live states: carrying them forward again and again would gain nothing.
      put(
        open(dir),
        record(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`alive:${at}`, 'x'.repeat(20)]))),
      );
      fill(dir, 10);
      compact(dir);
      expect(due()).toBe(false);
      fill(dir, 10);
      expect(due()).toBe(false);
    }));

  test('is safe beside processes that write, and all of them go on', () =>
    withDir(async (dir) => {
      const counter = writeBundle(
        bundleText(`
          import { open, put, record } from './test/store/kit.ts';
          const store = open(process.argv[2], { lock_deadline_ms: 20000 });
          for (let round = 0; round < 150; round++) {
            store.transactSync(['n', 'own:' + process.argv[3]], (view) => ({
              records: [record({ n: (view.get('n') ?? 0) + 1, ['own:' + process.argv[3]]: round })],
              result: null,
            }));
          }
        `),
      );
      const workers = ['a', 'b', 'c'].map((name) => run(counter, [dir, name]).ended);
      let archived = 0;
      const over = new AbortController();
      const done = Promise.all(workers).then((ends) => {
        over.abort();
        return ends;
      });
      while (!over.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        archived += compact(dir, { keep_bytes: SEGMENT_BYTES, lock_deadline_ms: 20_000 }).archived.length;
      }
      expect((await done).map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
      expect(archived).toBeGreaterThan(5);
      expect(states(dir)).toEqual([
        ['n', 450],
        ['own:a', 149],
        ['own:b', 149],
        ['own:c', 149],
      ]);
      expect(verifyLedger(dir, { now: clock() }).ok).toBe(true);
    }));

  test('does not stop a reader that is on its way through the ledger', () =>
    withDir((dir) => {
      fill(dir, 30);
      const reading = open(dir).scanSync()[Symbol.iterator]();
      for (let at = 0; at < 3; at++) reading.next();
      compact(dir);
      let last = 0;
      for (let step = reading.next(); step.done !== true; step = reading.next()) {
        expect(step.value.lsn).toBeGreaterThan(last);
        last = step.value.lsn;
      }
      expect(last).toBeGreaterThan(0);
      expect(last).toBeLessThan(open(dir).tip());
    }));
});
