import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decode,
  decodeText,
  detectEncoding,
  encodeText,
  endsOf,
  formOf,
  isLossy,
  normaliseEnds,
  withoutBom,
} from '../../../src/claude/text/encoding.ts';
import { anyFile, RUNS } from './arbitrary.ts';

const bytes = (...values: number[]): Buffer => Buffer.from(values);

describe('the encoding of a file is known from its bytes', () => {
  test.each([
    ['ASCII', Buffer.from('a\n'), { encoding: 'utf8', bom: false }],
    ['nothing', Buffer.alloc(0), { encoding: 'utf8', bom: false }],
    ['UTF-8', Buffer.from('é𝒳'), { encoding: 'utf8', bom: false }],
    ['UTF-8 with a mark', Buffer.from('\uFEFFa'), { encoding: 'utf8', bom: true }],
    ['UTF-8 that contains U+FFFD itself', Buffer.from('\uFFFD'), { encoding: 'utf8', bom: false }],
    ['UTF-16LE', Buffer.from('\uFEFFa', 'utf16le'), { encoding: 'utf16le', bom: true }],
    ['a mark and no text', bytes(0xff, 0xfe), { encoding: 'utf16le', bom: true }],
    ['UTF-16BE', bytes(0xfe, 0xff, 0, 0x61), { encoding: 'utf16be', bom: true }],
    ['UTF-16LE without its last byte', bytes(0xff, 0xfe, 0x61), { encoding: 'binary', bom: true }],
    ['Latin-1', Buffer.from('é', 'latin1'), { encoding: 'binary', bom: false }],
    ['a UTF-8 sequence cut short', bytes(0x61, 0xe2, 0x82), { encoding: 'binary', bom: false }],
    ['a PNG', bytes(0x89, 0x50, 0x4e, 0x47), { encoding: 'binary', bom: false }],
    [
      'UTF-16LE without a mark, which reads as NULs',
      Buffer.from('ab', 'utf16le'),
      { encoding: 'utf8', bom: false },
    ],
  ])('%s', (_name, input, coding) => {
    expect(detectEncoding(input)).toEqual(coding);
  });
});

test('a view into a larger buffer is read from its own first byte', () => {
  const whole = Buffer.concat([Buffer.from('xx'), Buffer.from('\uFEFFaé')]);
  expect(decode(new Uint8Array(whole.buffer, whole.byteOffset + 2, whole.length - 2)).text).toBe('aé');
});

test('bytes that are no text have none', () => {
  expect(decodeText(Buffer.from('é', 'latin1'))).toBeNull();
  expect(decode(Buffer.from('aé', 'latin1'))).toMatchObject({ text: 'a\uFFFD', exact: false });
  expect(decodeText(bytes(0xfe, 0xff, 0, 0x61))).toBeNull();
});

test('one byte order mark is dropped, the second is text', () => {
  expect(decodeText(Buffer.from('\uFEFF\uFEFFa'))).toBe('\uFEFFa');
  expect(withoutBom('\uFEFF\uFEFFa')).toBe('\uFEFFa');
});

test.each([
  ['', 'none'],
  ['a', 'none'],
  ['a\rb\r', 'none'],
  ['\n', 'lf'],
  ['a\nb\n', 'lf'],
  ['\r\n', 'crlf'],
  ['a\r\nb', 'crlf'],
  ['a\r\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['\na\r\n', 'mixed'],
] as const)('the ends of %j are %s', (text, ends) => {
  expect(endsOf(text)).toBe(ends);
});

test('a lone CR is no line end', () => {
  expect(normaliseEnds('a\rb\r\nc\r\r\n')).toBe('a\rb\nc\r\n');
});

test('a text and its form give the bytes back, unless the form is lossy', () => {
  fc.assert(
    fc.property(anyFile, (file) => {
      const form = formOf(file.bytes);
      const encoded = encodeText(normaliseEnds(decodeText(file.bytes) ?? ''), form);
      expect(encoded).toEqual(isLossy(form) ? undefined : file.bytes);
    }),
    RUNS,
  );
});

test('no bytes at all make decoding fail, and exact text encodes back to them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (raw) => {
      const { text, exact, encoding, bom } = decode(raw);
      if (!exact) return;
      const again = Buffer.from((bom ? '\uFEFF' : '') + text, encoding === 'utf16le' ? 'utf16le' : 'utf8');
      expect(again).toEqual(Buffer.from(raw));
    }),
    { numRuns: RUNS.numRuns * 3 },
  );
});
