/** Whether a ledger's index keys are complete, whichever version wrote last, and what `guard verify` reports. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RecordBody, States } from '../../../src/core/ledger.ts';
import { decodeHeader } from '../../../src/store/embedded/header.ts';
import {
  emptyPage,
  PAGE_BYTES,
  pageBytes,
  sealPage,
  setWide,
  wide,
} from '../../../src/store/embedded/page.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const AGENT = { 'agent:a': { id: 'a', live: true, epoch: 1, joined_lsn: 1 } };
const held = (...paths: string[]): States =>
  Object.fromEntries(paths.map((path) => [`path:${path}`, { holds: [{ agent: 'a', epoch: 1 }], queue: [] }]));
const listed = (...paths: string[]): States =>
  Object.fromEntries(paths.map((path) => [`held/1.1/a:${path}`, {}]));
const PLACES = { 'begins:': { agents: [], buckets: [1] } };
const INDEX: RecordBody = record({}, { type: 'ledger.index', agent: 'guard' });

const isIndexed = (dir: string): boolean | undefined => open(dir).lookSync(({ indexed }) => indexed);
const notesOf = (dir: string) => verifyLedger(dir, { now: clock() }).notes;
const problemsOf = (dir: string) => verifyLedger(dir, { now: clock() }).problems;

/** The words of page 0 that say up to which record all `held/` keys were written, and all index keys. */
const [HELD_AT, INDEXED_AT] = [55, 57];

/** A commit as an older guard leaves it: it rewrites page 0 without the words behind the shape, or with the first. */
function putAsOlder(dir: string, states: States, knows: 'nothing' | 'held' = 'nothing'): void {
  put(open(dir), record(states));
  const bytes = readFileSync(`${dir}/index`);
  const page = emptyPage();
  pageBytes(page).set(bytes.subarray(0, PAGE_BYTES));
  if (decodeHeader(page) === undefined) throw new Error('no header');
  if (knows === 'nothing') setWide(page, HELD_AT, 0);
  setWide(page, INDEXED_AT, 0);
  bytes.set(pageBytes(sealPage(page, 0)), 0);
  writeFileSync(`${dir}/index`, bytes);
}

describe('the index keys of a ledger', () => {
  test('are complete from its first record on, through segments and checkpoints', () =>
    withDir((dir) => {
      for (let at = 0; at < 40; at++) {
        put(open(dir), record({ ...AGENT, ...held(`f${at}`), ...listed(`f${at}`) }));
        expect(isIndexed(dir)).toBe(true);
      }
      expect(problemsOf(dir)).toEqual([]);
      expect(notesOf(dir)).toEqual([]);
    }));

  test('are not, once an older guard wrote, whatever a newer one adds', () =>
    withDir((dir) => {
      put(open(dir), record({ ...AGENT, ...held('one'), ...listed('one') }));
      putAsOlder(dir, held('two'));
      expect(isIndexed(dir)).toBe(false);
      put(open(dir), record({ ...held('three'), ...listed('three') }));
      expect(isIndexed(dir)).toBe(false);
      expect(problemsOf(dir)).toEqual([]);
      expect(notesOf(dir)).toEqual([
        { kind: 'index_keys', file: 'index', reason: '1 holds are not listed, 0 listed ones have ended' },
      ]);
    }));

  test('are again with the commit that writes all of them, and stay so', () =>
    withDir((dir) => {
      putAsOlder(dir, { ...AGENT, ...held('one') });
      put(open(dir), { ...INDEX, s: listed('one') }, record(held('one')));
      expect(isIndexed(dir)).toBe(true);
      put(open(dir), record({ ...held('two'), ...listed('two') }));
      expect(isIndexed(dir)).toBe(true);
      expect(notesOf(dir)).toEqual([]);
    }));

  test('are not, once a guard wrote that knows the keys of holds alone; that one takes them for complete', () =>
    withDir((dir) => {
      put(open(dir), record({ ...AGENT, ...held('one'), ...listed('one') }));
      putAsOlder(dir, { 'globs:a': { held: [] } }, 'held');
      expect(isIndexed(dir)).toBe(false);
      put(open(dir), { ...INDEX, s: {} });
      expect(isIndexed(dir)).toBe(true);
      const page = emptyPage();
      pageBytes(page).set(readFileSync(`${dir}/index`).subarray(0, PAGE_BYTES));
      expect(wide(page, HELD_AT)).toBe(decodeHeader(page)?.applied);
    }));

  test('of reservations are compared with what agents reserve', () =>
    withDir((dir) => {
      const one = { id: 'r-1', scope: '', pattern: 'src/**', token: 1 };
      put(open(dir), record({ 'globs:': { agents: { a: ['src'] } }, 'globs:a': { held: [one] } }));
      expect(problemsOf(dir)).toMatchObject([
        {
          kind: 'index_differs',
          reason: '3 places of reservations are not listed, 0 listed ones have ended',
        },
      ]);
      put(open(dir), record({ 'globs:': null, 'globs:a': null, ...PLACES }));
      expect(problemsOf(dir)).toEqual([]);
      expect(notesOf(dir)).toMatchObject([
        { reason: '0 places of reservations are not listed, 1 listed ones have ended' },
      ]);
    }));

  test.each(['without its index file', 'by a checkpoint'])('are not known %s', (how) =>
    withDir((dir) => {
      for (let at = 0; at < (how === 'by a checkpoint' ? 12 : 2); at++)
        put(open(dir), record({ ...AGENT, ...held('one'), ...listed('one') }));
      rmSync(`${dir}/index`);
      expect(isIndexed(dir)).toBe(false);
      put(open(dir), INDEX);
      expect(isIndexed(dir)).toBe(true);
    }),
  );

  test('that are wrong where they are said to be complete are a problem, which a new index mends', () =>
    withDir((dir) => {
      put(open(dir), record({ ...AGENT, ...held('one', 'two'), ...listed('one') }));
      expect(problemsOf(dir)).toMatchObject([
        { kind: 'index_differs', reason: '1 holds are not listed, 0 listed ones have ended' },
      ]);
      rmSync(`${dir}/index`);
      put(open(dir), record({ x: 1 }));
      expect(problemsOf(dir)).toEqual([]);
      expect(isIndexed(dir)).toBe(false);
    }));

  test('of holds that are over are no damage', () =>
    withDir((dir) => {
      put(open(dir), record({ ...AGENT, ...held('one'), ...listed('one', 'two') }));
      expect(problemsOf(dir)).toEqual([]);
      expect(notesOf(dir)).toMatchObject([{ reason: '0 holds are not listed, 1 listed ones have ended' }]);
    }));

  test('of an agent that left, or of its former epoch, need not be there', () =>
    withDir((dir) => {
      put(open(dir), record({ 'agent:a': { ...AGENT['agent:a'], live: false }, ...held('one') }));
      expect(problemsOf(dir)).toEqual([]);
      put(open(dir), record({ 'agent:a': { ...AGENT['agent:a'], epoch: 2 } }));
      expect(problemsOf(dir)).toEqual([]);
    }));
});

test('a commit that rests on complete index keys is refused once an older guard wrote', () =>
  withDir((dir) => {
    const { store } = open(dir);
    put(open(dir), record(AGENT));
    const { tip, lists, indexed } = store.look([], [{ below: 'held/1.1/a:', since: 0 }]);
    const read = { tip, lists, indexed, keys: new Map<string, number>() };
    putAsOlder(dir, held('two'));
    const { verdict } = store.commit(read, [record({ x: 1 })]);
    expect(verdict).toBe('moved');
  }));
