/**
 * Was the file that a write replaced the one that was approved?
 *
 * The client reports the replaced file as text (`originalFile`), while the approval is a digest of bytes. The text is
 * therefore encoded again and digested, in the form of the approved bytes (`formOf`) or in every form.
 */
import type { Digest } from '../../core/types.ts';
import { encodeText, isLossy, normaliseEnds, withoutBom, type CodedTextForm } from './encoding.ts';

export type OriginalVerdict = 'same' | 'other' | 'unverified';

/** Most likely first: a match ends the search. */
const FORMS: readonly CodedTextForm[] = [
  { encoding: 'utf8', bom: false, ends: 'lf' },
  { encoding: 'utf8', bom: false, ends: 'crlf' },
  { encoding: 'utf8', bom: true, ends: 'lf' },
  { encoding: 'utf8', bom: true, ends: 'crlf' },
  { encoding: 'utf16le', bom: true, ends: 'lf' },
  { encoding: 'utf16le', bom: true, ends: 'crlf' },
];

/** Six digests of a longer text (in characters; about 1 ms per MB and form) would take a hook too long. */
const CHARS_MAX = 4 * 1024 * 1024;

type DigestOf = (bytes: Buffer) => Digest;

/** The replaced file as the client reports it, and that text in UTF-8 if it was needed before. */
export interface Original {
  readonly text: string | null | undefined;
  readonly bytes?: Buffer;
}

/** In UTF-8, unchanged. */
const isPlain = ({ encoding, bom, ends }: CodedTextForm, text: string): boolean =>
  encoding === 'utf8' && bom === (withoutBom(text) !== text) && ends !== 'crlf';

/**
 * `approved`: the digest of the approved bytes, null for no file. `form`: the encoding of those bytes, recorded at the approval;
 * without it, a file with mixed line endings gives `other`, because no text shows that they were mixed.
 */
export function originalMatches(
  { text, bytes: utf8 }: Original,
  approved: Digest | null,
  digest: DigestOf,
  form?: CodedTextForm,
): OriginalVerdict {
  if (text === undefined) return 'unverified';
  // "No file" and "an empty file" look alike in a response, and neither has content to lose.
  if (text === null || text === '') {
    return approved === null || approved === digest(Buffer.alloc(0)) ? 'same' : 'other';
  }
  if (approved === null) return 'other';
  if (text.length > CHARS_MAX) return 'unverified';
  const plain = withoutBom(text);
  // A version that leaves CRLF unchanged would otherwise be read as CR CR LF.
  const texts = new Set([plain, normaliseEnds(plain)]);
  for (const one of form ? [form] : FORMS) {
    for (const given of texts) {
      const bytes =
        given === plain && isPlain(one, text) ? (utf8 ?? encodeText(given, one)) : encodeText(given, one);
      if (bytes !== undefined && digest(bytes) === approved) return 'same';
    }
  }
  const isProven = form ? !isLossy(form) : !text.includes('\uFFFD');
  return isProven ? 'other' : 'unverified';
}
