/** Realistic files: random lines, every encoding the client writes, every kind of line ending. */
import fc from 'fast-check';

/** Runs per property; GUARD_TEST_RUNS raises it. */
export const RUNS = { numRuns: Number(process.env['GUARD_TEST_RUNS'] ?? 300) };

export interface File {
  readonly bytes: Buffer;
  readonly text: string;
}

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n\uFEFF]/g, '')),
  fc.constantFrom('a', 'two', '', ' ', '\t', '{', '$&', 'é', '𝒳', '\u0000', '\u2028', 'x\ry', '\r'),
);
const end = fc.constantFrom('\n', '\r\n');

/** @param ends one kind of line ending for the whole file, or one per line */
const textWith = (ends: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(word, ends), { maxLength: 12 }), word)
    .map(([lines, rest]) => lines.map(([text, lineEnd]) => text + lineEnd).join('') + rest);

/** A line that ends in a lone CR turns its LF into CR LF. */
const isUniform = (text: string): boolean => !text.includes('\r\n') || !/(^|[^\r])\n/.test(text);

const encoded = (text: string, form: string): Buffer =>
  form === 'utf8'
    ? Buffer.from(text)
    : Buffer.from(`\uFEFF${text}`, form === 'utf8-bom' ? 'utf8' : 'utf16le');

const fileOf = (text: fc.Arbitrary<string>): fc.Arbitrary<File> =>
  fc
    .tuple(text, fc.constantFrom('utf8', 'utf8-bom', 'utf16le'))
    .map(([content, form]) => ({ bytes: encoded(content, form), text: content }));

/** All line endings are of one kind. */
export const uniformFile = fileOf(end.chain((one) => textWith(fc.constant(one))).filter(isUniform));
export const anyFile = fileOf(textWith(end));

export interface ByteChange {
  readonly at: number;
  readonly to: number;
}

export const byteChange: fc.Arbitrary<ByteChange> = fc.record({
  at: fc.nat(),
  to: fc.integer({ min: 1, max: 255 }),
});

/** Changes one byte; undefined if there are none. */
export function withOneByteChanged(bytes: Buffer, { at, to }: ByteChange): Buffer | undefined {
  if (bytes.length === 0) return undefined;
  const changed = Buffer.from(bytes);
  const index = at % bytes.length;
  changed[index] = (changed[index] ?? 0) ^ to;
  return changed;
}

/** Input for an Edit: text from the file, and its replacement. */
export const edit = fc.record({
  from: fc.tuple(fc.nat(), fc.integer({ min: 1, max: 6 })),
  to: fc.oneof(
    fc.constantFrom('', '$&', 'new\nline', 'a\r\nb', '𝒴'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  ),
  all: fc.boolean(),
});
