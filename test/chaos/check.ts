/** What must hold for a store after any fault, checked by an engine without bugs and without faults. */
import { isDeepStrictEqual } from 'node:util';
import type { Json, Key, LedgerRecord } from '../../src/core/ledger.ts';
import { clock } from '../store/scratch.ts';
import type { EngineUnderTest } from './engine.ts';
import { openStore } from './scenarios.ts';

/** Types that the engine itself writes. */
const isOwn = ({ type }: LedgerRecord): boolean => type.startsWith('ledger.');

export function fold(records: Iterable<LedgerRecord>): Map<Key, Json> {
  const states = new Map<Key, Json>();
  for (const { s } of records) {
    for (const [key, state] of Object.entries(s)) {
      if (state === null) states.delete(key);
      else states.set(key, state);
    }
  }
  return states;
}

const sorted = (states: Iterable<readonly [Key, Json]>): (readonly [Key, Json])[] =>
  [...states].sort(([a], [b]) => (a < b ? -1 : 1));

/** The engine under test, and one without planted bugs. */
export interface Engines {
  readonly engine: EngineUnderTest;
  readonly judge: EngineUnderTest;
}

/** `before`: the records that existed; `victims`: the number of records in the commit under fault. */
export interface Expectation {
  readonly boot: string;
  readonly before: readonly LedgerRecord[];
  readonly acknowledged: boolean;
  readonly victims: number;
  /** The earlier records may have been moved; only states count. */
  readonly rewrites: boolean;
}

function checkHistory(records: readonly LedgerRecord[], expected: Expectation): string[] {
  const wrong: string[] = [];
  const kept = records.filter((record) => !isOwn(record));
  const victims = kept.filter((record) => record['mark'] === 'victim').length;
  if (victims !== 0 && victims !== expected.victims)
    wrong.push(`${victims} of ${expected.victims} records of the commit`);
  if (expected.acknowledged && victims !== expected.victims) wrong.push('the acknowledged commit is lost');
  if (!expected.rewrites && !isDeepStrictEqual(kept.slice(0, expected.before.length), expected.before)) {
    wrong.push('records that were there are not there as they were');
  }
  for (const [at, { lsn }] of records.entries()) {
    if (lsn <= (records[at - 1]?.lsn ?? 0)) wrong.push(`lsn ${lsn} does not grow`);
  }
  return wrong;
}

/** Lets another process of the engine under test work on the store, then checks everything with a correct engine. */
export function checkStore({ engine, judge }: Engines, dir: string, expected: Expectation): string[] {
  const store = openStore(judge, dir, expected.boot);
  const states = fold(expected.before);
  const token = openStore(engine, dir, expected.boot).transactSync(['path:next'], (view) => ({
    records: [{ type: 'test', agent: 'next', ts_ms: 0, s: { 'path:next': 'n' } }],
    result: view.next,
  }));
  const records = [...store.scanSync()];
  const wrong = checkHistory(records, expected);
  if (token <= (expected.before.at(-1)?.lsn ?? 0)) wrong.push(`the token ${token} is not new`);
  const live = sorted(store.readSync([], ['']).range(''));
  if (!isDeepStrictEqual(live, sorted(fold(records)))) wrong.push('the index and the ledger differ');
  for (const [key, state] of states) {
    const victim = records.some((record) => record['mark'] === 'victim' && key in record.s);
    if (!victim && !isDeepStrictEqual(new Map(live).get(key), state))
      wrong.push(`the state of ${key} is lost`);
  }
  const report = judge.verifyLedger(dir, { now: clock(expected.boot) });
  if (!report.ok) wrong.push(`verify: ${JSON.stringify(report.problems)}`);
  return wrong;
}
