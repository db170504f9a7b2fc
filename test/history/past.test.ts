import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { openPast } from '../../src/history/past.ts';
import type { Store } from '../../src/store/store.ts';

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
function counted() {
  const records = [record(1), record(100)];
  const read_from: number[] = [];
  const store = {
    supports: { shared: false },
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

  it('goes on from its last record when something was committed', async () => {
    const { past, read_from, records } = counted();
    await past.current();
    records.push(record(200));
    expect((await past.current()).count).toBe(3);
    expect(read_from).toEqual([0, 101]);
  });

  it('begins anew where a shorter ledger is in its place', async () => {
    const { past, records } = counted();
    await past.current();
    records.splice(0, 2, record(1));
    const history = await past.current();
    expect([history.count, history.last?.lsn]).toEqual([1, 1]);
  });
});
