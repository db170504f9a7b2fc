/** How programs print a line of a file: as it is, after its number, or after the file's name and its number. */

export interface ShownLine {
  /** Null if it is not a line in this view. */
  readonly text: string | null;
  /** The line number in the file, from 1, as printed; 0 if there is none. */
  readonly number: number;
}

type View = (line: string, file: string) => ShownLine;

const NONE: ShownLine = { text: null, number: 0 };

export const VIEWS: readonly View[] = [
  (line) => ({ text: line, number: 0 }),
  // cat -n, nl, grep -n with context.
  (line) => numbered(/^ *(\d+)(?:[\t:-]| {2})(.*)$/.exec(line)),
  // grep -n over several files. The same line in another file proves nothing about this one.
  (line, file) => {
    const found = /^([^\s:]+?)[:-](\d+)[:-](.*)$/.exec(line);
    return found !== null && isNameOf(found[1] ?? '', file) ? numbered(found.slice(1)) : NONE;
  },
];

function numbered(found: readonly string[] | null): ShownLine {
  const number = Number(found?.[1]);
  return found?.[2] === undefined || !Number.isSafeInteger(number) ? NONE : { text: found[2], number };
}

const isNameOf = (printed: string, file: string): boolean =>
  `/${file}`.endsWith(`/${printed.replace(/^(?:\.\/)+/, '')}`);
