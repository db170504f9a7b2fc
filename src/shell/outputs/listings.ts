/** Commands that print names of files. */
import { foundBy } from '../find/find.ts';
import { absolute } from '../path.ts';
import { options } from '../writers/options.ts';
import { kindOf } from '../writers/reading.ts';
import { type Output, wordsOf } from './output.ts';

const text = (names: readonly string[], end = '\n'): string => names.map((name) => name + end).join('');

/** Plain names only: `ls`, `ls -1 src/*.ts`. */
const ls: Output = (call) => {
  const words = wordsOf(options(call.args, '1 d').operands);
  if (words === null || call.args.some((arg) => /^-(?!1$|d$|1d$|d1$)/.test(arg.text ?? ''))) return null;
  const isDirectory = (word: string): boolean => kindOf(call, { text: word }) === 'directory';
  const [only = '.', more] = words;
  if (
    more === undefined &&
    isDirectory(only) &&
    !call.args.some((arg) => arg.text?.includes('d') === true && arg.text.startsWith('-'))
  ) {
    const dir = absolute(only, call.cwd);
    return dir === null ? null : text(call.start.look.list(dir).filter((name) => !name.startsWith('.')));
  }
  const there = words.filter((word) => kindOf(call, { text: word }) !== null);
  return there.some(isDirectory) ? null : text(there);
};

const find: Output = (call) => {
  const { printed, is_exact, ends_in } = foundBy(call);
  return is_exact ? text(printed, ends_in) : null;
};

export const LISTINGS: Readonly<Record<string, Output>> = { ls, find, gfind: find };
