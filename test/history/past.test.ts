import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { openPast } from '../../src/history/past.ts';
import { openClock } from '../../src/repo/clock.ts';
import { openEmbedded } from '../../src/store/embedded/open.ts';
import type { Store } from '../../src/store/store.ts';
import { list } from '../../src/store/upkeep.ts';
import { pathState } from './records.ts';

const state_dir = mkdtempSync(join(tmpdir(), 'guard-past-'));
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

const record = (lsn: number): LedgerRecord =>
  ({
    lsn,
    ts: '2026-01-31T12:00:00.000Z',
    type: 'agent.join',
    agent: 'claude-a',
    id: String(lsn),
    s: {},
  }) as never;

/** A ledger that says from where it was read. */
function counted({ shared = false } = {}) {
  const records = [record(1), record(100)];
  const read_from: number[] = [];
  const store = {
    supports: { shared },
    tip: () => (records.at(-1)?.lsn ?? 0) + 99,
    *scan(from = 0) {
      read_from.push(from);
      yield* records.filter(({ lsn }) => lsn >= from);
    },
  } as unknown as Store;
  return { records, read_from, past: openPast(() => ({ state_dir, store })) };
}

describe('the history of a ledger', () => {
  it('is read once, and not again while nothing was committed', async () => {
    const { past, read_from } = counted();
    expect((await past.current()).count).toBe(2);
    expect((await past.current()).count).toBe(2);
    expect(read_from).toEqual([0]);
  });

  it('is under way no longer once its first read failed, and complete once a later one succeeds', async () => {
    const state = { fails: true };
    const store = {
      supports: { shared: false },
      tip: () => 199,
      *scan() {
        yield record(1);
        if (state.fails) throw new Error('a bad line');
        yield record(100);
      },
    } as unknown as Store;
    const past = openPast(() => ({ state_dir, store }));
    expect(past.reading()).toBe(0);
    await expect(past.current()).rejects.toThrow('a bad line');
    expect(past.reading()).toBeNull();
    state.fails = false;
    expect((await past.current()).count).toBe(2);
  });

  it('goes on from its last record when something was committed', async () => {
    const { past, read_from, records } = counted({ shared: true });
    await past.current();
    records.push(record(200));
    expect((await past.current()).count).toBe(3);
    expect(read_from).toEqual([0, 101]);
  });

  it('goes on in the files of a ledger of this machine, also in a new one', async () => {
    const dir = mkdtempSync(join(state_dir, 'ledger-'));
    const store = openEmbedded({ dir, now: openClock(), segment_bytes: 400 });
    const add = (path: string): void => {
      const { tip } = store.look([]);
      const body = { type: 'hold', agent: 'ann', ts_ms: 1, s: { [`path:${path}`]: pathState({}) } };
      store.commit({ tip, keys: new Map(), lists: [] }, [body]);
    };
    const past = openPast(() => ({ state_dir: dir, store }));
    for (let nth = 1; nth <= 6; nth++) {
      add(`${nth}.ts`);
      expect((await past.current()).count).toBe(nth);
    }
    expect(list(dir).segments.length).toBeGreaterThan(1);
  });

  it('is read for the first time until it has been read', async () => {
    const { past } = counted();
    expect(past.reading()).toBe(0);
    await past.current();
    expect(past.reading()).toBeNull();
  });

  it('begins anew where a shorter ledger is in its place', async () => {
    const { past, records } = counted();
    await past.current();
    records.splice(0, 2, record(1));
    const history = await past.current();
    expect([history.count, history.last?.lsn]).toEqual([1, 1]);
  });
});
