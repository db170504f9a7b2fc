/** Options and operands of a git command, parsed as git's own parser does: joined, clustered, abbreviated. Pure. */
import type { Word } from './words.ts';

export interface GitOptions {
  /** By long name without dashes, or by short letter. */
  has(...names: readonly string[]): boolean;
  /** The last value given; undefined: not given. */
  value(...names: readonly string[]): Word | undefined;
  /** Everything that is not an option, excluding what follows `--`. */
  readonly operands: readonly Word[];
  /** What follows `--`; null: there is no `--`. */
  readonly paths: readonly Word[] | null;
}

/**
 * @param known long options that may be abbreviated, separated by spaces. Those that take a value as a separate word
 * end in `=`; short options that do are single letters with `=`.
 */
export function readOptions(args: readonly Word[], known: string): GitOptions {
  const names = known.split(' ').filter((name) => name !== '');
  const valued = new Set(names.filter((name) => name.endsWith('=')).map((name) => name.slice(0, -1)));
  const longs = names.map((name) => name.replace(/=$/, '')).filter((name) => name.length > 1);
  const found = new Map<string, Word>();
  const operands: Word[] = [];
  let paths: readonly Word[] | null = null;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? null;
    if (word === '--') {
      paths = args.slice(at + 1);
      break;
    }
    if (word === null || !word.startsWith('-') || word === '-') operands.push(word);
    else if (word.startsWith('--')) {
      const [, given = '', joined] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const name = fullName(given, longs);
      found.set(name, joined ?? (valued.has(name) ? (args[++at] ?? null) : ''));
    } else {
      for (let nth = 1; nth < word.length; nth++) {
        const letter = word[nth] ?? '';
        const rest = word.slice(nth + 1);
        if (!valued.has(letter)) {
          found.set(letter, '');
          continue;
        }
        found.set(letter, rest === '' ? (args[++at] ?? null) : rest);
        break;
      }
    }
  }
  return {
    has: (...wanted) => wanted.some((name) => found.has(name)),
    value: (...wanted) => wanted.map((name) => found.get(name)).find((one) => one !== undefined),
    operands,
    paths,
  };
}

/** git accepts any unambiguous prefix of a long option. */
function fullName(given: string, longs: readonly string[]): string {
  if (longs.includes(given)) return given;
  const fitting = longs.filter((name) => name.startsWith(given));
  return fitting.length === 1 ? (fitting[0] ?? given) : given;
}
