/** A step next to others: it looks without the lock, and takes the lock only to commit. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import type { Lsn } from '../../../src/core/ledger.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { NEXT } from '../../../src/store/placeholder.ts';
import { consult, transact } from '../../../src/store/transact.ts';
import { alone } from '../../../src/store/upkeep.ts';
import { failure, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const quick = { lock_deadline_ms: 50 };

describe('a ledger that somebody else has locked', () => {
  test('is looked at all the same, and nothing is committed to it', () =>
    withDir((dir) => {
      fill(dir, 6);
      alone(dir, () => {
        expect(open(dir, quick).lookSync((view) => view.get('path:1'))).toBe(1);
        const nothing = open(dir, quick).store;
        expect(transact(nothing, (view) => ({ records: [], result: view.get('path:2') }))).toBe(2);
        expect(failure(() => put(open(dir, quick), record({ k: 1 }))).code).toBe('GUARD_ERR_BUSY');
      });
      expect([...open(dir).scanSync()]).toHaveLength(6);
    }));

  test.skipIf(process.platform !== 'linux')('names the process that has it, and the load', () =>
    withDir((dir) => {
      fill(dir, 1);
      alone(dir, () => {
        const { facts, message } = failure(() => put(open(dir, quick), record({ k: 1 })));
        expect(facts).toMatchObject({ pid: process.pid, load: expect.any(Number) as number });
        expect(message).toContain(`Process ${process.pid} holds its lock.`);
      });
    }),
  );

  test('is waited for again as long as before, once it was free or that time is over', () =>
    withDir((dir) => {
      fill(dir, 1);
      let mono_ms = 0;
      const now = () => ({ ...readNow(), mono_ms: (mono_ms += 1) });
      const store = open(dir, { now, lock_deadline_ms: 50 });
      const waited = (): unknown => failure(() => put(store, record({ k: 1 }))).facts['deadline_ms'];
      alone(dir, () => expect([waited(), waited()]).toEqual([50, 25]));
      put(store, record({ k: 2 }));
      alone(dir, () => {
        mono_ms += 50;
        expect([waited(), waited()]).toEqual([50, 25]);
      });
    }));

  test('keeps out who wants to be alone, though nothing is written', () =>
    withDir((dir) => {
      fill(dir, 1);
      const { store } = open(dir, quick);
      alone(dir, () => {
        expect(failure(() => consult(store, () => 0, { alone: true })).code).toBe('GUARD_ERR_BUSY');
      });
      expect(consult(store, (view) => view.get('path:0'), { alone: true })).toBe(0);
    }));
});

test('whoever is alone keeps the lock until it has done with what it saw', () =>
  withDir((dir) => {
    fill(dir, 1);
    const write = (): unknown => failure(() => put(open(dir, quick), record({ k: 1 }))).code;
    expect(consult(open(dir, quick).store, write, { alone: true })).toBe('GUARD_ERR_BUSY');
  }));

test.skipIf(process.platform !== 'linux')('a commit that nothing can lock for leaves no file open', () =>
  withDir((dir) => {
    fill(dir, 1);
    const count = (): number => readdirSync('/proc/self/fd').length;
    vi.stubEnv('GUARD_FLOCK', 'none');
    const before = count();
    const codes = [1, 2, 3].map((n) => failure(() => put(open(dir), record({ n }))).code);
    vi.unstubAllEnvs();
    expect([...new Set(codes)]).toEqual(['GUARD_ERR_NO_FLOCK']);
    expect(count()).toBe(before);
  }),
);

/** The code of the failure; null if there is none. */
function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return isGuardError(error) ? error.code : String(error);
  }
}

test('a long look at a large ledger keeps nobody out, and sees one moment of it', () =>
  withDir((dir) => {
    const whole = { segment_bytes: 1 << 24 };
    const KEYS = 6_000;
    put(open(dir, whole), ...Array.from({ length: KEYS }, (_, at) => record({ [`path:${at}`]: 0 })));
    expect(statSync(`${dir}/index`).size).toBeGreaterThan(128 * 1024);
    let looks = 0;
    const seen = consult(open(dir, whole).store, (view) => {
      looks += 1;
      const first = view.get('path:0');
      // From one end to the other, with somebody else's commit in between.
      put(open(dir, whole), record({ 'path:0': looks, [`path:${KEYS - 1}`]: looks }));
      return [first, view.get(`path:${KEYS - 1}`)];
    });
    expect(looks).toBe(3);
    expect(seen).toEqual([2, 2]);
  }));

describe('a step that others came before', () => {
  /** How often the step ran, and the number it reached. */
  const counting = (dir: string, meanwhile: () => void): { readonly runs: number; readonly lsn: Lsn } => {
    let runs = 0;
    const lsn = transact(open(dir).store, (view) => {
      const n = view.get('n');
      if (runs++ === 0) meanwhile();
      return { records: [record({ n: Number(n ?? 0) + 1 })], result: view.next };
    });
    return { runs, lsn };
  };

  test('runs once where nothing that it read has moved, and its record is placed behind theirs', () =>
    withDir((dir) => {
      fill(dir, 3);
      const { runs, lsn } = counting(dir, () => put(open(dir), record({ other: 1 })));
      expect(runs).toBe(1);
      expect([...open(dir).scanSync()].at(-1)?.lsn).toBe(lsn);
    }));

  test('runs once more where it has, with the lock, and nobody comes before it again', () =>
    withDir((dir) => {
      put(open(dir), record({ n: 1 }));
      const { runs } = counting(dir, () => put(open(dir), record({ n: 5 })));
      expect([runs, open(dir).lookSync((view) => view.get('n'))]).toEqual([2, 6]);
    }));

  test('runs again without the lock: others come before it at most as often as there are rounds', () =>
    withDir((dir) => {
      put(open(dir), record({ n: 0 }));
      const codes: unknown[] = [];
      const lsn = transact(open(dir).store, (view) => {
        const n = Number(view.get('n'));
        const other = open(dir, { lock_deadline_ms: 20 });
        codes.push(codeOf(() => put(other, record({ n: n + 100 }))));
        return { records: [record({ n: n + 1 })], result: view.next };
      });
      expect(codes).toEqual([...Array<null>(4).fill(null), 'GUARD_ERR_BUSY']);
      expect(open(dir).lookSync((view) => view.get('n'))).toBe(401);
      expect([...open(dir).scanSync()].at(-1)?.lsn).toBe(lsn);
    }));

  test('keeps the lock once its time is over: it may not get it a second time', () =>
    withDir((dir) => {
      put(open(dir), record({ n: 0 }));
      let mono_ms = 0;
      const ticks = clock();
      const now = () => ({ ...ticks(), mono_ms });
      const codes: unknown[] = [];
      transact(open(dir, { now, lock_deadline_ms: 50 }).store, (view) => {
        const n = Number(view.get('n'));
        mono_ms += 60;
        codes.push(codeOf(() => put(open(dir, { lock_deadline_ms: 20 }), record({ n: n + 100 }))));
        return { records: [record({ n: n + 1 })], result: view.next };
      });
      expect(codes).toEqual([null, null, 'GUARD_ERR_BUSY']);
      expect(open(dir).lookSync((view) => view.get('n'))).toBe(201);
    }));

  test('runs again where they began a segment', () =>
    withDir((dir) => {
      fill(dir, 3);
      const { runs } = counting(dir, () => fill(dir, 12));
      expect([runs, open(dir).lookSync((view) => view.get('n'))]).toEqual([2, 1]);
    }));

  test('runs again where the index was made anew', () =>
    withDir((dir) => {
      fill(dir, 3);
      const { runs } = counting(dir, () => {
        rmSync(`${dir}/index`);
        put(open(dir), record({ other: 1 }));
      });
      expect([runs, open(dir).lookSync((view) => view.get('n'))]).toEqual([2, 1]);
    }));

  test.each([
    ['no farther', 0],
    ['farther', 40],
  ])('runs again where an older ledger was copied over the files, and went on %s', (_, others) =>
    withDir((dir) => {
      const whole = { segment_bytes: 1 << 20 };
      put(open(dir, whole), record({ start: 1 }));
      const backup = readdirSync(dir).map((name) => [name, readFileSync(`${dir}/${name}`)] as const);
      for (let at = 0; at < 4; at++) put(open(dir, whole), record({ [`path:${at}`]: at }));
      const { runs } = counting(dir, () => {
        for (const [name, bytes] of backup) writeFileSync(`${dir}/${name}`, bytes);
        put(open(dir, whole), record({ n: 41 }));
        for (let at = 0; at < others; at++) put(open(dir, whole), record({ other: at }));
      });
      expect([runs, open(dir).lookSync((view) => view.get('n'))]).toEqual([2, 42]);
    }),
  );

  test('is told that what it read of a longer ledger moved', () =>
    withDir((dir) => {
      put(open(dir), record({ n: 1 }));
      const { store } = open(dir);
      const { tip } = store.look([]);
      const read = { tip: tip + 1000, keys: new Map([['n', tip]]), lists: [] };
      expect(store.commit(read, [record({ n: 2 })]).verdict).toBe('moved');
    }));
});

describe('the time of a record', () => {
  const timesIn = (dir: string): number[] => [...open(dir).scanSync()].map(({ ts }) => Date.parse(ts));

  test('is that of its append where it has none of its own, and others came in between', () =>
    withDir((dir) => {
      fill(dir, 1);
      const before = Date.now();
      transact(open(dir).store, () => {
        put(open(dir), record({ k: 1 }, { ts_ms: before + 60_000 }));
        return { records: [record({ n: 1 }, { ts_ms: NEXT })], result: null };
      });
      expect(timesIn(dir).slice(-2)).toEqual([before + 60_000, before + 60_000]);
      put(open(dir), record({ n: 2 }, { ts_ms: before + 120_000 }));
      expect(timesIn(dir).at(-1)).toBe(before + 120_000);
    }));

  test.each([0, 2_000, 40_000])('is not before that of a record of %d bytes', (bytes) =>
    withDir((dir) => {
      put(open(dir), record({ k: 'x'.repeat(bytes) }, { ts_ms: 2_000_000 }));
      put(open(dir), record({ k: 1 }, { ts_ms: 1_000_000 }));
      expect(timesIn(dir)).toEqual([2_000_000, 2_000_000]);
    }),
  );
});
