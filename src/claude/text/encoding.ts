/**
 * Converts between the bytes of a file and the text that an agent is shown.
 *
 * - encoding: `utf8` is valid UTF-8; `utf16le` and `utf16be` are recognised by their byte order mark; `binary` is
 *   everything that no text reproduces (Latin-1, images, a UTF-16 file of odd length).
 * - form: what the client's text omits: encoding, byte order mark, kind of line endings. A text and its form
 *   reproduce the bytes, unless the form is lossy.
 *
 * Measured on client 2.1.330: it decodes UTF-16LE after FF FE and UTF-8 otherwise, with U+FFFD for broken sequences,
 * UTF-16BE included. A Read shows neither a single byte order mark nor a CR at the end of a line; the `originalFile` of
 * a write keeps the mark and has LF for CRLF.
 */
import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'binary';
export type Ends = 'none' | 'lf' | 'crlf' | 'mixed';

export interface Coding {
  readonly encoding: Encoding;
  readonly bom: boolean;
}

export interface CodedTextForm extends Coding {
  readonly ends: Ends;
}

export interface Decoded extends Coding {
  /** Without one byte order mark; line endings unchanged. */
  readonly text: string;
  /** False if other bytes decode to the same text: equal texts then prove nothing. */
  readonly exact: boolean;
}

const BOM = '\uFEFF';

export function detectEncoding(bytes: Uint8Array): Coding {
  const [first, second, third] = bytes;
  const isEven = bytes.length % 2 === 0;
  if (first === 0xff && second === 0xfe) return { encoding: isEven ? 'utf16le' : 'binary', bom: true };
  if (first === 0xfe && second === 0xff) return { encoding: isEven ? 'utf16be' : 'binary', bom: true };
  const bom = first === 0xef && second === 0xbb && third === 0xbf;
  return { encoding: isUtf8(bytes) ? 'utf8' : 'binary', bom };
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether the bytes are this text in UTF-8. Makes no text of the bytes, which takes 1 to 2 ms for 1 MB. */
export const areText = (bytes: Uint8Array, text: string): boolean =>
  text.length <= bytes.length && text.isWellFormed() && Buffer.from(text).equals(bytes);

/** The text as the client decodes it. */
export function decode(bytes: Uint8Array): Decoded {
  const coding = detectEncoding(bytes);
  const buffer = asBuffer(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { ...coding, text: buffer.toString('utf16le', 2), exact: coding.encoding === 'utf16le' };
  }
  return { ...coding, text: withoutBom(buffer.toString()), exact: coding.encoding === 'utf8' };
}

/** The text without byte order mark; null if the bytes are not exactly a text. */
export function decodeText(bytes: Uint8Array): string | null {
  const { text, exact } = decode(bytes);
  return exact ? text : null;
}

export const withBom = (text: string): string => BOM + text;

/** Removes one byte order mark; the client shows a second one. */
export const withoutBom = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text);

/** Converts CRLF to LF. A lone CR is an ordinary character to the client, and is kept. */
export const normaliseEnds = (text: string): string =>
  text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;

/** Converts LF and CRLF to CRLF. */
export const toCrlf = (text: string): string => normaliseEnds(text).replaceAll('\n', '\r\n');

/** The kind of line endings; a lone CR does not count. */
export function endsOf(text: string): Ends {
  // Takes a millisecond for 1 MB: nearly every text has one kind, and its lines need not be checked one by one.
  if (!text.includes('\r\n')) return text.includes('\n') ? 'lf' : 'none';
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (text[at - 1] !== '\r') return 'mixed';
  return 'crlf';
}

const [LF, CR] = [10, 13];

/** Not `Buffer.indexOf`, which is three functions that a cold process first has to compile (0.09 ms). */
const hasByte = (bytes: Uint8Array, byte: number): boolean =>
  Uint8Array.prototype.indexOf.call(bytes, byte) >= 0;

/** What must be kept with a text to prove later that it represented exactly these bytes. */
export function formOf(bytes: Uint8Array): CodedTextForm {
  const { encoding, bom } = detectEncoding(bytes);
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
  if (isWide || hasByte(bytes, CR)) return { encoding, bom, ends: endsOf(decode(bytes).text) };
  // Making the text of 1 MB takes 1 to 2 ms.
  return { encoding, bom, ends: hasByte(bytes, LF) ? 'lf' : 'none' };
}

/** Whether other bytes of this form give the same text. */
export const isLossy = ({ encoding, ends }: CodedTextForm): boolean =>
  encoding === 'utf16be' || encoding === 'binary' || ends === 'mixed';

/** The bytes of a text (without byte order mark, LF) in a form; undefined if the form is lossy. */
export function encodeText(text: string, form: CodedTextForm): Buffer | undefined {
  if (form.encoding === 'utf16be' || form.encoding === 'binary' || isLossy(form)) return undefined;
  const body = form.ends === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
  return Buffer.from(form.bom ? withBom(body) : body, form.encoding);
}
