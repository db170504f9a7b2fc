import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formOf, type CodedTextForm } from '../../../src/claude/text/encoding.ts';
import { verifyWrite } from '../../../src/claude/text/expected.ts';
import { originalMatches } from '../../../src/claude/text/original.ts';
import { byteChange, RUNS, uniformFile, withOneByteChanged } from './arbitrary.ts';
import * as client from './client-model.ts';
import { recordedCalls } from './recorded.ts';

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const named = recordedCalls()
  .filter(({ tool }) => tool !== 'Read')
  .map((call) => [call.name, call] as const);

describe('the file that the real client replaced is recognised', () => {
  const approved = (before: Buffer | null): string | null => before && digest(before);
  const form = (before: Buffer | null): CodedTextForm | undefined =>
    before === null ? undefined : formOf(before);

  test.each(named)('%s', (_name, call) => {
    const { original } = verifyWrite(call, call.after);
    const isMixed = form(call.before)?.ends === 'mixed';
    expect(originalMatches(original, approved(call.before), digest, form(call.before))).toBe(
      isMixed ? 'unverified' : 'same',
    );
    // Without the form, mixed line endings look like another file, which is why the form is kept.
    expect(originalMatches(original, approved(call.before), digest)).toBe(isMixed ? 'other' : 'same');
  });

  test.each(named)('%s, and not where another file had been approved', (_name, call) => {
    const { original } = verifyWrite(call, call.after);
    const other = Buffer.concat([call.before ?? Buffer.alloc(0), Buffer.from('xy')]);
    const verdict = formOf(other).ends === 'mixed' ? 'unverified' : 'other';
    expect(originalMatches(original, digest(other), digest, formOf(other))).toBe(verdict);
  });
});

describe('which file was replaced', () => {
  const empty = digest(Buffer.alloc(0));
  test.each([
    ['nothing, and nothing was approved', null, null, 'same'],
    ['nothing, and an empty file was approved', null, empty, 'same'],
    ['an empty file, and nothing was approved', '', null, 'same'],
    ['nothing, and a file was approved', null, digest(Buffer.from('a')), 'other'],
    ['a file, and nothing was approved', 'a', null, 'other'],
    ['silence', undefined, null, 'unverified'],
    ['a file that may have been Latin-1', 'a\uFFFD', digest(Buffer.from('a\xe9', 'latin1')), 'unverified'],
    ['a file too large to digest', 'x'.repeat(4 * 1024 * 1024 + 1), digest(Buffer.from('a')), 'unverified'],
  ])('%s', (_name, text, approved, verdict) => {
    expect(originalMatches({ text }, approved, digest)).toBe(verdict);
  });

  test('one digest decides where the form is known', () => {
    let digests = 0;
    const counted = (bytes: Buffer): string => digest(bytes) + (digests++ < 0 ? 'x' : '');
    const before = Buffer.from('\uFEFFa\r\nb\r\n', 'utf16le');
    expect(originalMatches({ text: '\uFEFFa\nb\n' }, digest(before), counted, formOf(before))).toBe('same');
    expect(originalMatches({ text: '\uFEFFa\nc\n' }, digest(before), counted, formOf(before))).toBe('other');
    expect(digests).toBe(2);
  });

  test('a version that leaves CR LF in its texts is understood', () => {
    const before = Buffer.from('a\r\nb\r\n');
    expect(originalMatches({ text: 'a\r\nb\r\n' }, digest(before), digest)).toBe('same');
    expect(originalMatches({ text: 'a\r\nb\r\n' }, digest(before), digest, formOf(before))).toBe('same');
  });

  test('an older version that keeps the mark out of its texts is understood', () => {
    expect(originalMatches({ text: 'a\nb\n' }, digest(Buffer.from('\uFEFFa\r\nb\r\n')), digest)).toBe('same');
  });
});

test('the replaced file is the approved one, and not any other', () => {
  fc.assert(
    fc.property(uniformFile, byteChange, ({ bytes }, change) => {
      const { text } = verifyWrite(
        { tool: 'Write', input: {}, response: client.write(bytes, 'x').response },
        null,
      ).original;
      expect(originalMatches({ text }, digest(bytes), digest)).toBe('same');
      expect(originalMatches({ text }, digest(bytes), digest, formOf(bytes))).toBe('same');
      const other = withOneByteChanged(bytes, change);
      if (other) expect(originalMatches({ text }, digest(other), digest)).not.toBe('same');
    }),
    RUNS,
  );
});
