import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, LedgerRecord, RecordBody } from '../../../src/core/ledger.ts';
import { decodeRecord, encodeRecord, isExplicitId } from '../../../src/store/record.ts';
import { skimRecord } from '../../../src/store/embedded/scan-header.ts';
import { hard } from './hard-texts.ts';

const text = fc.oneof(hard, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const name = fc.oneof(
  text,
  fc.string({ minLength: 1 }).map((key) => `path:${key}`),
);
const state = fc.oneof(fc.constant(null), fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>);
const fact = fc.string({ minLength: 1 }).map((key) => `fact_${key}`);

const bodies: fc.Arbitrary<RecordBody> = fc
  .record({
    type: fc.oneof(text, fc.constantFrom('hold', 'ledger.compact', 'ledger.carry')),
    agent: text,
    id: fc.option(text.filter(isExplicitId), { nil: undefined }),
    ts_ms: fc.nat(),
    first: fc.option(fc.nat(), { nil: undefined }),
    facts: fc.dictionary(fact, state),
    s: fc.dictionary(name, state),
  })
  .map(({ facts, id, first, ...body }) => ({
    ...facts,
    ...body,
    ...(id === undefined ? {} : { id }),
    ...(first === undefined ? {} : { first }),
  }));

/** What the reader must return for a record, computed from the record itself. */
function expected(record: LedgerRecord) {
  const { s, type, first } = record;
  return {
    v: 1,
    lsn: record.lsn,
    prev: parseInt(record.prev, 16),
    crc: parseInt(record.crc, 16),
    more: 'more' in record,
    live: Object.keys(s).filter((key) => s[key] !== null),
    removed: Object.keys(s).filter((key) => s[key] === null),
    id: isExplicitId(record.id) ? [record.agent, record.id] : undefined,
    first: type === 'ledger.compact' && typeof first === 'number' ? first : undefined,
  };
}

const sorted = <T extends { readonly live: readonly string[]; readonly removed: readonly string[] }>(
  one: T,
): T => ({
  ...one,
  live: [...one.live].sort(),
  removed: [...one.removed].sort(),
});

describe('a record that is skimmed', () => {
  test('says what the whole record says, whatever its names and states are', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.nat(),
        fc.nat({ max: 0xffffffff }),
        fc.nat({ max: 3 }),
        (body, lsn, prev, more) => {
          const { bytes } = encodeRecord(body, { lsn: lsn + 1, prev, more });
          const record = decodeRecord(bytes, 0, bytes.length - 1) as LedgerRecord;
          const skimmed = skimRecord(bytes, 0, bytes.length - 1);
          if (typeof skimmed === 'string') throw new Error(skimmed);
          expect(sorted(skimmed)).toEqual(sorted(expected(record)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is refused for the reason for which the whole record is refused, whatever byte of it changed', () => {
    const { bytes } = encodeRecord(
      { type: 'hold', agent: 'a', id: 'once', ts_ms: 0, path: 'a', s: { 'path:a': { n: 1 }, b: null } },
      { lsn: 7, prev: 9, more: 1 },
    );
    for (let at = 0; at < bytes.length - 1; at++) {
      for (const bit of [1, 2, 16, 128]) {
        const image = Buffer.from(bytes);
        image[at] = (image[at] ?? 0) ^ bit;
        const whole = decodeRecord(image, 0, image.length - 1);
        expect(skimRecord(image, 0, image.length - 1)).toBe(whole);
        expect(typeof whole).toBe('string');
      }
    }
  });

  test('in the middle of others is not confused by them', () => {
    const bodiesOf = (n: number): RecordBody => ({
      type: 't',
      agent: 'a',
      ts_ms: 0,
      s: { [`k${n}`]: [n, '}'] },
    });
    const lines = [1, 2, 3].map((n) => encodeRecord(bodiesOf(n), { lsn: n, prev: 0, more: 0 }).bytes);
    const all = Buffer.concat(lines);
    const start = lines[0]?.length ?? 0;
    const end = start + (lines[1]?.length ?? 0) - 1;
    expect(skimRecord(all, start, end)).toMatchObject({ lsn: 2, live: ['k2'] });
    expect(skimRecord(all, start, end - 3)).toBe('frame');
  });
});
