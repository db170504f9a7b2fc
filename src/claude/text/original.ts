/**
 * Was the file that a write replaced the one that was approved?
 *
 * The client reports the replaced file as text (`originalFile`), the approval is a digest of bytes. The text
 * is therefore encoded back and digested. With the form of the approved bytes at hand (`formOf`, taken at
 * the approval) one digest decides; without it every form is tried, and only a text that cannot have had
 * mixed line ends is proof of a race.
 */
import type { Digest } from '../../core/types.ts';
import { encodeText, isLossy, normaliseEnds, withoutBom, type TextForm } from './encoding.ts';

export type OriginalVerdict = 'same' | 'other' | 'unverified';

/** Most likely first: a match ends the search. */
const FORMS: readonly TextForm[] = [
  { encoding: 'utf8', bom: false, ends: 'lf' },
  { encoding: 'utf8', bom: false, ends: 'crlf' },
  { encoding: 'utf8', bom: true, ends: 'lf' },
  { encoding: 'utf8', bom: true, ends: 'crlf' },
  { encoding: 'utf16le', bom: true, ends: 'lf' },
  { encoding: 'utf16le', bom: true, ends: 'crlf' },
];

/** Above this (characters) the digests would cost more than a hook may take: 6 forms, about 2 ms per MB each. */
const FORMLESS_CHARS_MAX = 4 * 1024 * 1024;

const lineEnds = (text: string, max: number): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && count < max; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** U+FFFD in the text may have been any broken bytes; two line ends may have been one of each kind. */
const mayHideBytes = (text: string): boolean => text.includes('\uFFFD') || lineEnds(text, 2) === 2;

type DigestOf = (bytes: Buffer) => Digest;

function isIn(form: TextForm, text: string, approved: Digest, digest: DigestOf): boolean {
  const bytes = encodeText(text, form);
  return bytes !== undefined && digest(bytes) === approved;
}

/**
 * `text`: the replaced file as the client reports it, null where there was none, undefined where it does not
 * say. `approved`: digest of the approved bytes, null for no file; `form`: how they were encoded, if known.
 */
export function originalMatches(
  text: string | null | undefined,
  approved: Digest | null,
  digest: DigestOf,
  form?: TextForm,
): OriginalVerdict {
  if (text === undefined) return 'unverified';
  if (text === null || approved === null) return text === approved ? 'same' : 'other';
  const plain = normaliseEnds(withoutBom(text));
  const forms = form ? [form] : FORMS;
  if (!form && plain.length > FORMLESS_CHARS_MAX) return 'unverified';
  if (forms.some((one) => isIn(one, plain, approved, digest))) return 'same';
  const hides = form ? isLossy(form) : mayHideBytes(plain);
  return hides ? 'unverified' : 'other';
}
