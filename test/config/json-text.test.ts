import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAndColumn, scanJson } from '../../src/config/json-text.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    depth += '[{'.includes(bracket) ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

describe('the scan', () => {
  it('accepts what JSON.parse accepts, and nothing else', () => {
    const damage = fc.array(
      fc.record({
        at: fc.nat(),
        cut: fc.nat(3),
        put: fc.constantFrom(
          '',
          '"',
          ',',
          ':',
          '}',
          ']',
          '{',
          '\\',
          '\n',
          '0',
          '-',
          'e',
          '\u0001',
          '//',
          'null',
        ),
      }),
      { maxLength: 2 },
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.json({ maxDepth: 3, stringUnit: 'binary' }), damage, (json, changes) => {
        const text = changes.reduce((it, { at, cut, put }) => {
          const start = at % (it.length + 1);
          return it.slice(0, start) + put + it.slice(start + cut);
        }, json);
        const { problem } = scanJson(text);
        if (problem?.reason.endsWith('is given twice') === true || depthOf(text) > 30) return;
        expect({ text, ok: problem === null }).toEqual({ text, ok: parses(text) });
        if (problem !== null) refused++;
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(200);
  });

  it('knows where every key and list item is', () => {
    const text = '{"a": {"b/c~": [10, {"d": 1}]}}';
    const places = [...scanJson(text).places].map(([pointer, offset]) => [
      pointer,
      text.slice(offset, offset + 2),
    ]);
    expect(places).toEqual([
      ['/a', '"a'],
      ['/a/b~1c~0', '"b'],
      ['/a/b~1c~0/0', '10'],
      ['/a/b~1c~0/1', '{"'],
      ['/a/b~1c~0/1/d', '"d'],
    ]);
  });

  it('ends on any text in linear time', () => {
    const start = performance.now();
    for (const text of [
      '"'.repeat(60_000),
      '\\'.repeat(60_000),
      `"${'\\"'.repeat(30_000)}`,
      '[1,'.repeat(20_000),
      '1'.repeat(60_000),
      ' '.repeat(60_000),
    ]) {
      scanJson(text);
    }
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

it('lines and columns are counted from one, for all three line ends', () => {
  const text = 'a\nb\r\nc\rde';
  expect([0, 2, 5, 8].map((offset) => lineAndColumn(text, offset))).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 2 },
  ]);
});
