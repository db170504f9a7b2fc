import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { asAt, beforeLast, beforeRun } from '../../src/core/undo-wish.ts';
import { versionsOf, withDisk } from '../../src/core/versions.ts';

let lsn = 0;
const record = (type: string, facts: object): LedgerRecord => ({
  v: 1,
  id: '',
  type,
  ts: '2026-01-01T00:00:00.000Z',
  agent: 'a',
  s: {},
  prev: '',
  crc: '',
  lsn: ++lsn,
  ...facts,
});
const write = (agent: string, digest: string | null): LedgerRecord =>
  record('write', { agent, path: 'x', digest, tool: 'Edit' });
const saw = (digest: string | null): LedgerRecord =>
  record('intent', {
    paths: ['x'],
    s: { 'path:x': { holds: [], queue: [], intent: { digest }, last_write: null } },
  });
const drift = (
  author: string,
  agents: readonly string[],
  from: string | null,
  to: string | null,
): LedgerRecord => record('drift', { agent: 'noticer', path: 'x', author, agents, from, to });
const brief = (records: readonly LedgerRecord[]): readonly unknown[] =>
  versionsOf(records, 'x').map(({ agents, how, from, to }) => [agents.join(), how, from, to]);

describe('the versions of a file', () => {
  test('begin with what the first write was approved for', () => {
    expect(brief([saw('0'), write('a', '1')])).toEqual([['a', 'write', '0', '1']]);
    expect(brief([write('a', '1')])).toEqual([['a', 'write', undefined, '1']]);
  });

  test('have what came between two writes, though nobody recorded it', () => {
    expect(brief([saw(null), write('a', '1'), saw('9'), write('b', '2')])).toEqual([
      ['a', 'write', null, '1'],
      ['', 'outside', '1', '9'],
      ['b', 'write', '9', '2'],
    ]);
  });

  test('name the author of a drift as sure as it is', () => {
    expect(
      brief([
        write('a', '1'),
        drift('parsed', ['b'], '1', '2'),
        drift('ambiguous', ['b', 'c'], '2', '3'),
        drift('outside', [], '8', '4'),
      ]),
    ).toEqual([
      ['a', 'write', undefined, '1'],
      ['b', 'parsed', '1', '2'],
      ['b,c', 'ambiguous', '2', '3'],
      ['', 'outside', '3', '8'],
      ['', 'outside', '8', '4'],
    ]);
  });

  test('are of this path alone, and a bypass without content is none', () => {
    const other = record('write', { path: 'y', digest: '7' });
    expect(
      brief([
        other,
        record('bypass', { what: 'shell', path: 'x' }),
        record('bypass', { path: 'x', digest: '5' }),
      ]),
    ).toEqual([['a', 'write', undefined, '5']]);
  });

  test('end with what is on disk', () => {
    const known = versionsOf([write('a', '1')], 'x');
    expect(withDisk(known, '1')).toEqual(known);
    expect(withDisk(known, null).at(-1)).toMatchObject({ lsn: null, how: 'outside', from: '1', to: null });
    expect(withDisk([], '1')).toEqual([]);
  });
});

describe('what an undo means', () => {
  const person = { id: 'p', seen: null };
  const history = () => versionsOf([saw('0'), write('a', '1'), write('b', '2'), write('b', '3')], 'x');

  test('for a person: before the newest change, and all that came from outside in a row is one', () => {
    expect(beforeLast(history(), person)).toMatchObject({ digest: '2' });
    expect(beforeLast(withDisk(history(), '9'), person)).toMatchObject({ digest: '3' });
    const twice = versionsOf([write('a', '1'), saw('8'), saw('9')], 'x');
    expect(beforeLast(withDisk(twice, null), person)).toMatchObject({ digest: '1' });
    expect(beforeLast([], person)).toBeNull();
    expect(beforeLast(versionsOf([write('a', '1')], 'x'), person)).toBeNull();
  });

  test('for an agent: what it last saw, unless it changed the file last itself', () => {
    expect(beforeLast(history(), { id: 'a', seen: '1' })).toMatchObject({ digest: '1' });
    expect(beforeLast(history(), { id: 'b', seen: '3' })).toMatchObject({ digest: '2' });
    expect(beforeLast(history(), { id: 'c', seen: '3' })).toMatchObject({ digest: '2' });
  });

  test('for one agent: before its changes, where they are the newest', () => {
    expect(beforeRun(history(), 'b')).toMatchObject({ digest: '1' });
    expect(beforeRun(history(), 'a')).toBeNull();
    expect(beforeRun(versionsOf([write('a', '1'), write('b/sub', '2')], 'x'), 'b')).toMatchObject({
      digest: '1',
    });
  });

  test('at a record: what it or the newest one before it left; before all of them, what they found', () => {
    const versions = history();
    const [first, second] = versions;
    expect(asAt(versions, (second?.lsn ?? 0) - 1)).toMatchObject({ digest: '1' });
    expect(asAt(versions, second?.lsn ?? 0)).toMatchObject({ digest: '2' });
    expect(asAt(versions, (first?.lsn ?? 0) - 1)).toMatchObject({ digest: '0' });
  });
});
