import fc from 'fast-check';
import { structuredPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { patched } from '../../../src/claude/text/patched.ts';
import { RUNS } from './arbitrary.ts';
import { recordedCalls } from './recorded.ts';

const hunks = (before: string, after: string): unknown => structuredPatch('', '', before, after).hunks;

test('a patch made by the client leads to what it wrote', () => {
  const calls = recordedCalls().filter(
    ({ response }) => Array.isArray(response['structuredPatch']) && response['structuredPatch'].length > 0,
  );
  const texts = calls
    .filter(({ tool }) => tool === 'Edit')
    .map(({ response, after }) => ({
      shown: patched(String(response['originalFile']), response['structuredPatch']),
      left: after?.toString(after[0] === 0xff ? 'utf16le' : 'utf8').replaceAll('\r\n', '\n'),
    }));
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter(({ shown, left }) => shown?.replaceAll('\r\n', '\n') !== left)).toEqual([]);
});

describe('a patch that is none of this text leads nowhere', () => {
  test.each([
    ['no patch', undefined],
    ['an empty patch', []],
    ['hunks that are none', [1]],
    ['a hunk without a place', [{ lines: ['-a'] }]],
    ['lines that are none', [{ oldStart: 1, lines: [1] }]],
    ['another line', [{ oldStart: 1, lines: ['-x', '+y'] }]],
    ['a line past the end', [{ oldStart: 9, lines: ['-a', '+y'] }]],
    [
      'hunks in disorder',
      [
        { oldStart: 2, lines: ['-b', '+B'] },
        { oldStart: 1, lines: ['-a', '+A'] },
      ],
    ],
    [
      'a final newline that is not there',
      [{ oldStart: 2, lines: ['-b', '\\ No newline at end of file', '+B'] }],
    ],
  ])('%s', (_name, patch) => {
    expect(patched('a\nb\n', patch)).toBeUndefined();
  });
});

test('any two texts: the patch from one to the other leads there', () => {
  const line = fc.constantFrom('a', 'b', '', ' ', '\\ c', '-', '+', 'x\r');
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => lines.join('\n') + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before !== after) expect(patched(before, hunks(before, after))).toBe(after);
    }),
    RUNS,
  );
});
