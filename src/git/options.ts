/** Options and operands of one git command, as its own parser takes them: joined, clustered, shortened. Pure. */
import type { Word } from './words.ts';

export interface GitOptions {
  /** By long name without dashes, or by short letter. */
  has(...names: readonly string[]): boolean;
  /** The last value given; undefined: not given. */
  value(...names: readonly string[]): Word | undefined;
  /** What is no option, without what stands behind `--`. */
  readonly operands: readonly Word[];
  /** Behind `--`; null: there is none. */
  readonly paths: readonly Word[] | null;
}

/**
 * @param known long options that may be shortened, separated by spaces; those that take a value as a word of their own
 * end in `=`. Short options that do: single letters with `=`.
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

/** git takes every beginning of a long option that fits one alone. */
function fullName(given: string, longs: readonly string[]): string {
  if (longs.includes(given)) return given;
  const fitting = longs.filter((name) => name.startsWith(given));
  return fitting.length === 1 ? (fitting[0] ?? given) : given;
}
