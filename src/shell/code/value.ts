/** The possible values of an expression: texts, lists of texts, files on disk. */
import type { Argument } from '../call.ts';

/** One of these texts; a null among them means that it may also be something unknown. */
export interface Value {
  readonly texts: readonly (string | null)[];
  readonly items?: readonly Value[];
  readonly is_keyed?: true;
  /** Files from the disk: if there are more than can be listed, their pattern, and `texts` contains null. */
  readonly glob?: string;
  /** `os.walk`: a directory that, joined with a name, is one of `texts`. */
  readonly is_walk?: true;
}

export interface CodeScope {
  readonly names: ReadonlyMap<string, Value>;
  /** The arguments under the language's own name for them, including the entries before the first. */
  readonly arguments_of: (name: string) => readonly Argument[] | null;
  /** The full form of a short name: `rm` is `os.remove`. */
  readonly full: (name: string) => string;
  /** Lists files on disk. */
  readonly listed: DiskListing;
}

export interface DiskQuery {
  /** `*` and `?` within a name, `**` for any number of directories. */
  readonly pattern: string;
  /** The program gets paths relative to the directory. */
  readonly bare?: true;
  /** The program itself selects among all files below a directory: its conditions on the ends of names apply. */
  readonly is_listing?: true;
}

export type DiskListing = (asked: DiskQuery) => Value;

export const NOBODY_KNOWS: Value = { texts: [null] };
/** More texts than this are treated as unknown. */
export const MOST_TEXTS = 200;

export const of = (...texts: readonly (string | null)[]): Value => ({ texts });

export function listed(items: readonly Value[], is_keyed?: true): Value {
  const texts = items.flatMap((it) => it.texts).slice(0, MOST_TEXTS);
  return is_keyed === true ? { texts, items, is_keyed } : { texts, items };
}

/** The items that a loop takes in turn: the keys of a dictionary, unless pairs are asked for. */
export function eachOf({ texts, items, is_keyed, glob }: Value): readonly Value[] {
  if (items === undefined)
    return texts.map((it) => (it === null && glob !== undefined ? { texts: [null], glob } : of(it)));
  return is_keyed === true ? items.map((it) => it.items?.[0] ?? NOBODY_KNOWS) : items;
}
