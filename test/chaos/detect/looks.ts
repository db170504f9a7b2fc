import fs from 'node:fs';
import { type Call, type Operation, withFault } from '../faults.ts';
import { openStore } from '../scenarios.ts';
import type { Detector } from './tools.ts';

const WATCHED: readonly Operation[] = ['openSync', 'readSync', 'fstatSync', 'readdirSync', 'statSync'];
type Anything = (...args: unknown[]) => unknown;

/** Runs `act`, with `other` once before its `at`-th file operation. False if there are fewer. */
export function between(act: () => void, at: number, other: () => void): boolean {
  const table = fs as unknown as Record<string, Anything>;
  const real = Object.fromEntries(WATCHED.map((name) => [name, table[name] as Anything]));
  let calls = 0;
  const patched =
    (name: string): Anything =>
    (...args) => {
      if (++calls === at) {
        Object.assign(table, real);
        other();
      }
      return (real[name] as Anything)(...args);
    };
  Object.assign(table, Object.fromEntries(WATCHED.map((name) => [name, patched(name)])));
  try {
    act();
  } finally {
    Object.assign(table, real);
  }
  return calls >= at;
}

const put = (store: ReturnType<typeof openStore>, s: Record<string, number>): null =>
  store.transactSync([], () => ({ records: [{ type: 'test', agent: 'a', ts_ms: 0, s }], result: null }));

/** Between any two operations of a look at two keys, another process sets both to one number, and may die doing so. */
export const tornLooks: Detector = ({ engine, judge, dir }) => {
  const others = openStore(judge, dir);
  // Enough keys that the index is not read all at once.
  for (let at = 0; at < 5; at++)
    put(others, Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`many:${at * 600 + n}`, n])));
  let number = 0;
  const commit = (dies: number): readonly Call[] => {
    number += 1;
    const both = { 'path:one': number, 'path:two': number };
    return withFault(() => put(others, both), { at: dies, fault: { kind: 'die', when: 'before' } }).calls;
  };
  commit(0);
  const writes = commit(0).flatMap(({ operation }, at) => (operation === 'writeSync' ? [at + 1] : []));
  for (const dies of [0, ...writes]) {
    for (let at = 1, isHit = true; isHit; at++) {
      let seen: readonly unknown[] = [];
      const look = (): void => {
        const snapshot = openStore(engine, dir).readSync(['path:one', 'path:two']);
        seen = [snapshot.get('path:one'), snapshot.get('path:two')];
      };
      // What a death left behind is repaired first.
      commit(0);
      isHit = between(look, at, () => commit(dies));
      if (seen[0] !== seen[1]) return [`before operation ${at}, dead at ${dies}: ${JSON.stringify(seen)}`];
    }
  }
  return [];
};

/** The clock is set back between commits. */
export const timesThatGoBack: Detector = ({ engine, dir }) => {
  for (let at = 0; at < 12; at++)
    openStore(engine, dir).transactSync([], () => ({
      records: [{ type: 'test', agent: 'a', ts_ms: 1_000_000 - at, pad: 'x'.repeat(at * 400), s: { k: at } }],
      result: null,
    }));
  const times = [...openStore(engine, dir).scanSync()].map(({ ts }) => ts);
  return times.every((ts, at) => ts >= (times[at - 1] ?? '')) ? [] : [`times go back: ${times.join(' ')}`];
};
