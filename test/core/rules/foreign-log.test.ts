/** Other programs' logs: which lines count as records, and what a record does. */
import { describe, expect, it } from 'vitest';
import { applyLine, edgesOfStanding, lineOf, nobody } from '../../../src/core/rules/foreign-log.ts';

const standing = (...records: readonly object[]) => {
  const at = nobody();
  for (const record of records) {
    const line = lineOf(record);
    if (line !== null) applyLine(at, line);
  }
  return edgesOfStanding(at).map(({ from, to, path, kind }) => `${from}-${kind}->${to}:${path}`);
};

describe('a line of a log', () => {
  it.each([
    [null],
    ['hold'],
    [[1]],
    [{}],
    [{ type: 'hold' }],
    [{ type: 'hold', agent: 5 }],
    [{ type: 'toString', agent: 'A' }],
    [{ type: '__proto__', agent: 'A' }],
  ])('%j is none', (value) => {
    expect(lineOf(value)).toBeNull();
  });

  it('names its paths in any of four fields', () => {
    expect(
      lineOf({ type: 'hold', agent: 'A', path: 'a', paths: ['b', 3], filepath: 'c', filepaths: ['d'] })
        ?.paths,
    ).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('what stands at the end', () => {
  const hold = { type: 'hold', agent: 'B', path: 'x' };
  const wait = { type: 'wait', agent: 'A', path: 'x' };

  it.each<[string, object[], string[]]>([
    ['a wait for whoever holds it', [hold, wait], ['A-wait->B:x']],
    ['a wait that came before the hold', [wait, hold], ['A-wait->B:x']],
    ['a wait that names a holder nobody recorded', [{ ...wait, holder: 'Z' }], ['A-wait->Z:x']],
    [
      'a wait whose named holder is not the one who holds it',
      [hold, { ...wait, holder: 'Z' }],
      ['A-wait->B:x'],
    ],
    ['a wish', [hold, { ...wait, kind: 'wanted' }], ['A-wanted->B:x']],
    ['several holders', [hold, { ...hold, agent: 'C' }, wait], ['A-wait->B:x', 'A-wait->C:x']],
    ['nobody waits for itself', [{ ...hold, agent: 'A' }, wait], []],
    ['a wait that was granted', [hold, wait, { type: 'hold', agent: 'A', path: 'x' }], []],
    ['a wait told twice', [hold, wait, wait], ['A-wait->B:x']],
    ['a release', [hold, wait, { type: 'release', agent: 'B', path: 'x' }], []],
    ['a release of everything', [hold, wait, { type: 'release', agent: 'B', all: true }], []],
    ['a release of everything by the waiter', [hold, wait, { type: 'release', agent: 'A', all: true }], []],
    ['a leave', [hold, wait, { type: 'agent.leave', agent: 'B' }], []],
    ['a release by somebody else', [hold, wait, { type: 'release', agent: 'C', path: 'x' }], ['A-wait->B:x']],
  ])('%s', (_, records, expected) => {
    expect(standing(...records)).toEqual(expected);
  });
});
