/** Names of tasks. Each names a directory, so it must not lead elsewhere. */
import { GuardError } from './error.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const WORDS_MAX = 6;
const CHARS_MAX = 40;

/** Names reserved by some file systems. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

export const isSlug = (text: string): boolean => SLUG.test(text) && !RESERVED.test(text);

export const SLUG_WORDS =
  'lower-case letters, digits and hyphens, at most 64, beginning and ending with a letter or digit';

/** @throws GuardError GUARD_ERR_USAGE */
export function checkedSlug(text: string, what = 'task'): string {
  if (isSlug(text)) return text;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${JSON.stringify(text.slice(0, 80))} is not a valid ${what} name.`,
    `A name has ${SLUG_WORDS}.`,
    { given: text.slice(0, 200) },
  );
}

/** A name for a new task, from the beginning of its description. */
export function slugFor(text: string, isTaken: (slug: string) => boolean): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, WORDS_MAX);
  const base = words.join('-').slice(0, CHARS_MAX).replace(/-+$/, '');
  const first = isSlug(base) ? base : 'task';
  for (let n = 1; ; n++) {
    const slug = n === 1 ? first : `${first}-${n}`;
    if (!isTaken(slug)) return slug;
  }
}
