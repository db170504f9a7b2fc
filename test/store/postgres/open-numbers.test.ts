import { expect, test } from 'vitest';
import type { RecordBody } from '../../../src/core/ledger.ts';
import { fill, NEXT } from '../../../src/store/placeholder.ts';
import { openCommit } from '../../../src/store/postgres/open-numbers.ts';
import { body } from '../contract/worker.ts';

/** Fills in the numbers as the server does. */
function filledIn(records: readonly RecordBody[], lsn: number) {
  const { content, gaps, written, stamps } = openCommit(records);
  const items = gaps
    .reduce((text, gap) => text.replaceAll(`\x1e${gap}\x1e`, String(lsn + gap)), content)
    .split('\x1f');
  return {
    states: Object.fromEntries(
      written.map(({ key, open_at }, at) => [
        key.toString() + String(open_at === null ? '' : lsn + open_at),
        items[at] === '' ? null : (JSON.parse(items[at] ?? '') as unknown),
      ]),
    ),
    bodies: items.slice(written.length).map((text) => JSON.parse(text) as unknown),
    stamps,
  };
}

const withoutTime = (record: RecordBody): unknown =>
  JSON.parse(JSON.stringify({ ...record, ts_ms: undefined }));

test('the number stands where its step left room for it, and nowhere else', () => {
  const records = [
    body(
      {
        k: { token: NEXT, id: `r-${NEXT}`, said: `r-${NEXT} is no name` },
        [`message:m-${NEXT + 1}`]: [NEXT + 1],
      },
      { token: NEXT, note: '123456789 1234567890000000' },
    ),
    body({ gone: null, k: 'later' }, { ts_ms: NEXT }),
  ];
  const { states, bodies, stamps } = filledIn(records, 77);
  expect(bodies).toEqual(records.map((record) => withoutTime(fill({ ...record, ts_ms: 0 }, 77))));
  expect(states).toEqual({ k: 'later', 'message:m-78': [78], gone: null });
  expect(stamps).toEqual([1_700_000_000_000, null]);
});

test('so many numbers are taken as the step uses', () => {
  expect(openCommit([body({ k: 1 })]).span).toBe(1);
  expect(openCommit([body({ k: NEXT + 4, [`message:m-${NEXT + 9}`]: 1 })]).span).toBe(10);
});

test('a record that is too long, or says what the engine says, is a mistake', () => {
  expect(() => openCommit([body({ k: 'x'.repeat(17 * 1024 * 1024) })])).toThrow(/too long/);
  expect(() => openCommit([body({ k: 1 }, { lsn: 1 })])).toThrow(/may not set/);
});
