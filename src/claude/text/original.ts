/**
 * Was the file that a write replaced the one that was approved?
 *
 * The client reports the replaced file as text (`originalFile`), the approval is a digest of bytes. The text
 * is therefore encoded back and digested. With the form of the approved bytes at hand (`formOf`, taken at
 * the approval) one digest decides; without it every form is tried, and only a text that cannot have had
 * mixed line ends is proof of a race.
 */
import { encodeText, normaliseEnds, withoutBom, type TextForm } from './encoding.ts';

export interface Approved {
  /** Of the approved bytes; null: no file was there. */
  readonly digest: string | null;
  /** How those bytes were encoded, if anybody looked. */
  readonly form?: TextForm | undefined;
}

/** The replaced file as the client reports it: null is "none" or "too large to tell", undefined is silence. */
export interface Original {
  readonly text: string | null | undefined;
  /** The client created the file: null then means that nothing was there. */
  readonly created: boolean;
}

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

function matchesForm(
  text: string,
  form: TextForm,
  approved: Approved,
  digest: (bytes: Buffer) => string,
): boolean | undefined {
  const bytes = encodeText(text, form);
  return bytes && digest(bytes) === approved.digest;
}

/** `digest` gives the lower-case hex SHA-256 of bytes. */
export function originalMatches(
  original: Original,
  approved: Approved,
  digest: (bytes: Buffer) => string,
): OriginalVerdict {
  if (original.text === undefined) return 'unverified';
  if (original.text === null) return nothingThere(original, approved);
  if (approved.digest === null) return 'other';
  const text = normaliseEnds(withoutBom(original.text));
  if (approved.form) {
    const same = matchesForm(text, approved.form, approved, digest);
    return same === undefined ? 'unverified' : same ? 'same' : 'other';
  }
  if (text.length > FORMLESS_CHARS_MAX) return 'unverified';
  if (FORMS.some((form) => matchesForm(text, form, approved, digest))) return 'same';
  return mayHideBytes(text) ? 'unverified' : 'other';
}

function nothingThere({ created }: Original, { digest }: Approved): OriginalVerdict {
  if (!created) return 'unverified';
  return digest === null ? 'same' : 'other';
}
