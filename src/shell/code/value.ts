/** What an expression may be: texts, lists of them, files on disk. */
import type { Argument } from '../call.ts';

/** One of these texts; null among them: or something that nobody can tell. */
export interface Value {
  readonly texts: readonly (string | null)[];
  readonly items?: readonly Value[];
  readonly is_keyed?: true;
  /** From the disk; of what is more than can be listed the pattern, where `texts` has null. */
  readonly glob?: string;
  /** `os.walk`: a directory that with a name joined to it is one of `texts`. */
  readonly is_walk?: true;
}

export interface CodeScope {
  readonly names: ReadonlyMap<string, Value>;
  /** What the language calls its arguments, with what stands before the first. */
  readonly arguments_of: (name: string) => readonly Argument[] | null;
  /** A short name in full: `rm` is `os.remove`. */
  readonly full: (name: string) => string;
  /** What is on disk. */
  readonly listed: DiskListing;
}

export interface DiskQuery {
  /** `*` and `?` within a name, `**` for any directories. */
  readonly pattern: string;
  /** What the program gets is below this directory, and without its name. */
  readonly bare?: true;
  /** Of all below a directory the program itself chooses: what it says of the ends of names counts. */
  readonly is_listing?: true;
}

export type DiskListing = (asked: DiskQuery) => Value;

export const NOBODY_KNOWS: Value = { texts: [null] };
/** More texts than this are as good as unknown. */
export const MOST_TEXTS = 200;

export const of = (...texts: readonly (string | null)[]): Value => ({ texts });

export function listed(items: readonly Value[], is_keyed?: true): Value {
  const texts = items.flatMap((it) => it.texts).slice(0, MOST_TEXTS);
  return is_keyed === true ? { texts, items, is_keyed } : { texts, items };
}

/** What a loop takes one after another: of a dictionary the keys, unless pairs are asked for. */
export function eachOf({ texts, items, is_keyed, glob }: Value): readonly Value[] {
  if (items === undefined)
    return texts.map((it) => (it === null && glob !== undefined ? { texts: [null], glob } : of(it)));
  return is_keyed === true ? items.map((it) => it.items?.[0] ?? NOBODY_KNOWS) : items;
}
