/** Parses options as nearly every command does. */
import type { Argument } from '../call.ts';

export interface Options {
  /** Whether one of these options is given. */
  has(...names: readonly string[]): boolean;
  /** The last value if there are several; undefined if there is none. */
  value(name: string): Argument | undefined;
  values(name: string): readonly Argument[];
  readonly operands: readonly Argument[];
}

/**
 * `gnu`: `-abc`, `-oFILE`, `--out=FILE`, operands anywhere. `first`: the first operand ends the options (interpreters).
 * `words`: a single dash before a whole word (`-out FILE`).
 */
export type Style = 'gnu' | 'first' | 'words';

type Takes = ':' | '?' | '!' | '';
interface Known {
  readonly name: string;
  readonly takes: Takes;
}

/**
 * `grammar`: words such as `t,target-directory:`. The first name is the one to query. `:` takes a value, `?` only an
 * attached one, `!` takes a value and ends the options. Options that are not named take none.
 */
export function options(args: readonly Argument[], grammar: string, style: Style = 'gnu'): Options {
  const known = grammarOf(grammar);
  const given: [string, Argument | undefined][] = [];
  const operands: Argument[] = [];
  let at = 0;
  while (at < args.length) {
    const argument = args[at++];
    if (argument === undefined) break;
    const text = argument.text;
    if (text === '--') {
      operands.push(...args.slice(at));
      break;
    }
    if (text === null || text === '-' || !text.startsWith('-')) {
      operands.push(argument);
      if (style !== 'first') continue;
      operands.push(...args.slice(at));
      break;
    }
    const read = text.startsWith('--') || style === 'words' ? longOption : shortOptions;
    const { found, waits } = read(text, argument, known);
    given.push(...found);
    if (waits === null) {
      if (!endsOptions(found, known)) continue;
    } else {
      const value = args[at++];
      given.push([waits.name, value]);
      if (waits.takes !== '!') continue;
    }
    operands.push(...args.slice(at));
    break;
  }
  return answers(given, operands);
}

function answers(given: readonly [string, Argument | undefined][], operands: readonly Argument[]): Options {
  const values = (name: string) =>
    given.flatMap(([it, value]) => (it === name && value !== undefined ? [value] : []));
  return {
    has: (...names) => given.some(([it]) => names.includes(it)),
    values,
    value: (name) => values(name).at(-1),
    operands,
  };
}

interface Found {
  readonly found: [string, Argument | undefined][];
  /** The option whose value is the next word. */
  readonly waits: Known | null;
}

function longOption(text: string, argument: Argument, known: ReadonlyMap<string, Known>): Found {
  const bare = text.replace(/^--?/, '');
  const equals = bare.indexOf('=');
  const name = equals < 0 ? bare : bare.slice(0, equals);
  const option = known.get(name) ?? { name, takes: '' };
  if (equals >= 0) return { found: [[option.name, valued(argument, bare.slice(equals + 1))]], waits: null };
  if (option.takes === ':' || option.takes === '!') return { found: [], waits: option };
  return { found: [[option.name, undefined]], waits: null };
}

function shortOptions(text: string, argument: Argument, known: ReadonlyMap<string, Known>): Found {
  const found: [string, Argument | undefined][] = [];
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const option = known.get(letter) ?? { name: letter, takes: '' };
    const rest = text.slice(at + 1);
    if (option.takes === '') {
      found.push([option.name, undefined]);
    } else if (rest === '') {
      if (option.takes !== '?') return { found, waits: option };
      found.push([option.name, undefined]);
    } else {
      found.push([option.name, valued(argument, rest)]);
      break;
    }
  }
  return { found, waits: null };
}

function endsOptions(found: Found['found'], known: ReadonlyMap<string, Known>): boolean {
  return found.some(([name, value]) => value !== undefined && known.get(name)?.takes === '!');
}

const valued = (argument: Argument, text: string): Argument => ({ ...argument, text });

/** The names in one text, separated by spaces. */
export const optionNames = (text = ''): readonly string[] => text.split(' ').filter((it) => it !== '');

function grammarOf(grammar: string): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const entry of optionNames(grammar)) {
    const last = entry.at(-1) ?? '';
    const takes = last === ':' || last === '?' || last === '!' ? last : '';
    const names = (takes === '' ? entry : entry.slice(0, -1)).split(',');
    for (const it of names) known.set(it, { name: names[0] ?? it, takes });
  }
  return known;
}
