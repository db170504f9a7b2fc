import { describe, expect, it } from 'vitest';
import { actsTogether } from '../../../src/cli/log/one-act.ts';
import type { LedgerRecord } from '../../../src/core/ledger.ts';

const NOON = '2026-01-31T12:00:00.000Z';

const revoked = (path: string, facts: Partial<LedgerRecord> = {}): LedgerRecord => ({
  ...{ v: 1, id: 'x', type: 'revoke', ts: NOON, agent: 'claude-1', s: {}, prev: '', lsn: 1, crc: '' },
  ...{ path, to: 'user-me', cause: 'person' },
  ...facts,
});

/** What is shown after each record, and at the end. */
function shownOf(...records: readonly LedgerRecord[]): readonly unknown[][] {
  const acts = actsTogether();
  const shown = (all: readonly LedgerRecord[]) => all.map(({ paths, path, type }) => paths ?? path ?? type);
  return [...records.map((record) => shown(acts.add(record))), shown(acts.rest())];
}

describe('records of one act', () => {
  it('are one for people once another record follows, or nothing more comes', () => {
    const many = ['a', 'b', 'c'].map((path) => revoked(path));
    expect(shownOf(...many)).toEqual([[], [], [], [['a', 'b', 'c']]]);
    expect(shownOf(...many, revoked('', { type: 'turn' }))).toEqual([[], [], [], [['a', 'b', 'c'], ''], []]);
  });

  it('stay apart if they differ in whose the lock was, who has it now, why, or when', () => {
    const others = [{ agent: 'claude-2' }, { to: 'user-you' }, { cause: 'idle' }, { ts: `${NOON}1` }];
    for (const other of others)
      expect(shownOf(revoked('a'), revoked('b', other))).toEqual([[], ['a'], ['b']]);
  });

  it('are not delayed if no lock was lost', () => {
    const reservation = Object.fromEntries(Object.entries(revoked('')).filter(([name]) => name !== 'path'));
    expect(shownOf({ ...reservation, patterns: ['src/**'] } as unknown as LedgerRecord)).toEqual([
      ['revoke'],
      [],
    ]);
  });
});
