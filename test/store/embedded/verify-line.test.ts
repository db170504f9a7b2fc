/** Lines as `guard verify` reads them, compared with what decoding them in full says. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asObject } from '../../../src/core/json-object.ts';
import type { Json, RecordBody } from '../../../src/core/ledger.ts';
import { crc32, hex8 } from '../../../src/store/crc32.ts';
import { verifiedLine } from '../../../src/store/embedded/verify-line.ts';
import { decodeRecord, encodeRecord, isExplicitId, SEAL_BYTES } from '../../../src/store/record.ts';
import { hard } from './hard-texts.ts';

const text = fc.oneof(hard, fc.string({ unit: 'binary' }));
const json = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;
const hold = fc.record({ agent: text, mode: text, epoch: fc.oneof(fc.nat(), fc.double(), text), more: json });
const path = fc.oneof(
  json,
  fc.record({ holds: fc.array(hold), queue: json }),
  fc.record({ touched: fc.nat() }),
);
const state = (from: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.oneof(fc.constant(null), from);
const below = (prefix: string) => fc.string().map((key) => prefix + key);

const bodies: fc.Arbitrary<RecordBody> = fc
  .record({
    type: fc.oneof(text, fc.constantFrom('hold', 'ledger.compact', 'ledger.cut')),
    agent: text,
    id: text.filter(isExplicitId),
    ts_ms: fc.nat(),
    facts: fc.dictionary(below('fact_'), json),
    paths: fc.dictionary(below('path:'), state(path as fc.Arbitrary<Json>)),
    agents: fc.dictionary(below('agent:'), state(json)),
    others: fc.dictionary(text, state(json)),
  })
  .map(({ facts, paths, agents, others, id, ...body }) => ({
    ...{ ...facts, ...body, ...(id === '' ? {} : { id }) },
    s: { ...others, ...paths, ...agents },
  }));

const placed = fc
  .tuple(bodies, fc.nat(), fc.nat({ max: 0xffffffff }), fc.nat({ max: 3 }))
  .map(([body, lsn, prev, more]) => encodeRecord(body, { lsn: lsn + 1, prev, more }).bytes.subarray(0, -1));

/** What is compared of a state, whichever way it was read. */
function compared(key: string, given: Json): Json {
  if (given === null || key.startsWith('agent:')) return given;
  if (!key.startsWith('path:')) return true;
  const { holds } = given as { readonly holds?: Json };
  return Array.isArray(holds)
    ? holds.map((one: Json) => {
        const { agent, epoch } = asObject(one);
        return { agent: agent ?? null, epoch: epoch ?? null } as Json;
      })
    : [];
}

function inFull(line: Buffer): object | string {
  const record = decodeRecord(line, 0, line.length);
  if (typeof record === 'string') return record;
  const { v, lsn, prev, crc, agent, id, s } = record;
  return {
    ...{ v, lsn, more: record['more'], id: isExplicitId(id) ? `${agent}\0${id}` : undefined },
    ...{ prev: Number.parseInt(prev, 16), crc: Number.parseInt(crc, 16) },
    states: new Map(Object.entries(s).map(([key, one]) => [key, compared(key, one)])),
  };
}

function verified(line: Buffer): object | string {
  const read = verifiedLine(line, 0, line.length, crc32);
  if (typeof read === 'string') return read;
  const { whole: _, states, ...rest } = read;
  return { ...rest, states: new Map(states.map(([key, one]) => [key, compared(key, one)])) };
}

test('a line says the same whether it is walked or decoded in full', () => {
  fc.assert(
    fc.property(placed, (line) => {
      expect(verified(line)).toEqual(inFull(line));
    }),
    { numRuns: 150 },
  );
});

const FRAGMENTS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-',
  '.',
  'e',
  ' ',
  '\t',
  'null',
  '"s":{',
  '\\u0041',
];
const OWN_FACTS = [
  ',"agent":"b"',
  ',"id":"c"',
  ',"s":{}',
  ',"more":7',
  ',"v":2',
  ',"lsn":1',
  ',"type":"ledger.cut"',
];

/** Replaces a part of the line and seals it again. */
function resealed(line: Buffer, at: number, length: number, instead: string): Buffer {
  const covered = line.subarray(0, line.length - SEAL_BYTES);
  const changed = Buffer.concat([
    ...[covered.subarray(0, at), Buffer.from(instead)],
    covered.subarray(Math.min(at + length, covered.length)),
  ]);
  return Buffer.concat([changed, Buffer.from(`,"crc":"${hex8(crc32(changed))}"}`)]);
}

test('a forged line with the right checksum is refused for the reason for which it is refused in full', () => {
  const { bytes } = encodeRecord(
    {
      ...{ type: 'hold', agent: 'a', ts_ms: 0, path: 'x', n: -1.5, list: [true, [], {}] },
      s: {
        'path:x': { holds: [{ agent: 'a', epoch: 3 }], intent: null },
        'agent:a': { live: true },
        'k:1': null,
      },
    },
    { lsn: 7, prev: 9, more: 1 },
  );
  const line = bytes.subarray(0, -1);
  const asked = [...FRAGMENTS, ...OWN_FACTS, ''].flatMap((instead) => [
    { instead, length: 0 },
    { instead, length: 1 },
  ]);
  expect(verifiedLine(line, 0, line.length, crc32)).toMatchObject({ lsn: 7, whole: undefined });
  let refused = 0;
  const wrong: string[] = [];
  for (let at = 0; at <= line.length - SEAL_BYTES; at++)
    for (const { instead, length } of asked.filter((_, nth) => nth % 5 === at % 5)) {
      const made = resealed(line, at, length, instead);
      const whole = inFull(made);
      if (typeof whole === 'string') refused++;
      if (!isDeepStrictEqual(verified(made), whole)) wrong.push(made.toString());
    }
  const numbers = ['-01.5', '-', '-1.', '.5', '+1', '1e5', '00', '1.5.5', '9007199254740993'];
  const changes = [
    ...numbers.map((number) => ['-1.5', number] as const),
    ...numbers.map((number) => ['"more":1', `"more":${number}`] as const),
    ...numbers.map((number) => ['"lsn":7', `"lsn":${number}`] as const),
    ...numbers.map((number) => ['"epoch":3', `"epoch":${number}`] as const),
  ];
  for (const [from, to] of changes) {
    const made = resealed(line, line.indexOf(from), from.length, to);
    if (!isDeepStrictEqual(verified(made), inFull(made))) wrong.push(made.toString());
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(1_000);
});
