/** Calls that answer with files from the disk. */
import { type DiskListing, type DiskQuery, listed, NOBODY_KNOWS, type Value } from './value.ts';

/** Its words, as far as they are known: one text each. */
interface ListingCall {
  /** In full; of a method only the last name, behind a dot. */
  readonly name: string;
  readonly first: string | null;
  /** What the method is called of. */
  readonly receiver: string | null;
  readonly is_recursive: boolean;
}

const GLOBS =
  /^(?:glob\.i?glob|fs\.globSync|(?:glob|fg|fastglob|globby)\.(?:sync|globSync)|globSync|Dir\.glob|glob)$/;
const LISTS = /^(?:os\.listdir|fs\.readdirSync|Dir\.(?:children|each_child|entries))$/;

/** Null: it is no such call, or nobody can tell. */
function diskQuery({ name, first, receiver, is_recursive }: ListingCall): DiskQuery | null {
  if (GLOBS.test(name))
    return first === null || /[{}]/.test(first) ? null : { pattern: flat(first, name, is_recursive) };
  if (LISTS.test(name)) return { pattern: below(first ?? '.', '*'), bare: true, is_listing: true };
  if (receiver === null) return null;
  if (name === '.iterdir') return { pattern: below(receiver, '*'), is_listing: true };
  if (first === null) return null;
  if (name === '.glob') return { pattern: below(receiver, first) };
  return name === '.rglob' ? { pattern: below(receiver, `**/${first}`) } : null;
}

/** Python's takes `**` for `*` unless it is told otherwise. */
const flat = (pattern: string, name: string, is_recursive: boolean): string =>
  /^glob\.i?glob$/.test(name) && !is_recursive ? pattern.replaceAll('**', '*') : pattern;

const below = (dir: string, name: string): string =>
  dir === '.' || dir === '' ? name : `${dir.replace(/\/+$/, '')}/${name}`;

/** `os.walk`: directories, their directories, their files. */
const WALKS = /^os\.walk$/;
const walked = (dir: string): DiskQuery => ({ pattern: below(dir, '**/*'), is_listing: true });

interface Asking {
  /** What is called, in full. */
  readonly full: string;
  /** Of a method: its name, and what it is called of. */
  readonly method: string | null;
  readonly receiver: Value | undefined;
  readonly keys: readonly string[];
}

/** Null: it does not ask the disk, or nobody can tell for what. */
export function askedOfDisk(
  { full, method, receiver, keys }: Asking,
  values: readonly Value[],
  on_disk: DiskListing,
): Value | null {
  const first = only(values[0]);
  if (WALKS.test(full)) return first === null ? null : walkedBy(on_disk(walked(first)));
  // Names with their kinds, paths below: not only names.
  if (values.length > 1 || keys.some((key) => key !== 'recursive')) return null;
  const call = { first, receiver: only(receiver), is_recursive: keys.includes('recursive') };
  const asked =
    diskQuery({ ...call, name: full }) ??
    (method === null ? null : diskQuery({ ...call, name: `.${method}` }));
  return asked === null || (values.length > 0 && first === null) ? null : on_disk(asked);
}

const walkedBy = (files: Value): Value =>
  listed([listed([{ ...files, is_walk: true }, NOBODY_KNOWS, NOBODY_KNOWS])]);

const only = (value: Value | undefined): string | null =>
  value?.texts.length === 1 ? (value.texts[0] ?? null) : null;
