/** Calls that return files from the disk. */
import { type DiskListing, type DiskQuery, listed, NOBODY_KNOWS, type Value } from './value.ts';

/** The known arguments of a call: one text each. */
interface ListingCall {
  /** The full name; for a method only the last name, after a dot. */
  readonly name: string;
  readonly first: string | null;
  /** The object that the method is called on. */
  readonly receiver: string | null;
  readonly is_recursive: boolean;
}

const GLOBS =
  /^(?:glob\.i?glob|fs\.globSync|(?:glob|fg|fastglob|globby)\.(?:sync|globSync)|globSync|Dir\.glob|glob)$/;
const LISTS = /^(?:os\.listdir|fs\.readdirSync|Dir\.(?:children|each_child|entries))$/;

/** Null if it is not such a call, or its arguments are unknown. */
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

/** Python's glob treats `**` as `*` unless it is recursive. */
const flat = (pattern: string, name: string, is_recursive: boolean): string =>
  /^glob\.i?glob$/.test(name) && !is_recursive ? pattern.replaceAll('**', '*') : pattern;

const below = (dir: string, name: string): string =>
  dir === '.' || dir === '' ? name : `${dir.replace(/\/+$/, '')}/${name}`;

/** `os.walk` yields directories with their subdirectories and files. */
const WALKS = /^os\.walk$/;
const walked = (dir: string): DiskQuery => ({ pattern: below(dir, '**/*'), is_listing: true });

interface Asking {
  /** The full name of the function. */
  readonly full: string;
  /** For a method: its name, and the object that it is called on. */
  readonly method: string | null;
  readonly receiver: Value | undefined;
  readonly keys: readonly string[];
}

/** Null if it does not read the disk, or what it asks for is unknown. */
export function askedOfDisk(
  { full, method, receiver, keys }: Asking,
  values: readonly Value[],
  on_disk: DiskListing,
): Value | null {
  const first = only(values[0]);
  if (WALKS.test(full)) return first === null ? null : walkedBy(on_disk(walked(first)));
  // Such a call returns more than names: kinds of entries, or paths below.
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
