/** Commands whose output follows from their arguments. */
import { checkoutAround } from '../checkout-around.ts';
import { LIMITS } from '../limits.ts';
import { absolute, baseName, dirName } from '../path.ts';
import { options } from '../writers/options.ts';
import { textOn } from '../writers/reading.ts';
import { type Output, wordsOf } from './output.ts';

const echo: Output = ({ args }) => {
  const words = wordsOf(args);
  if (words === null) return null;
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const [flags, texts] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  const text = texts.join(' ');
  const has = (flag: string): boolean => flags.some((it) => it.includes(flag));
  return (has('e') ? unescaped(text) : text) + (has('n') ? '' : '\n');
};

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', '\\': '\\', a: '\x07', '0': '\0' },
};

const unescaped = (text: string): string =>
  text.replace(/\\([ntr\\a0])/g, (_, char: string) => ESCAPES[char] ?? char);

/** Repeats the format until no words are left. */
const printf: Output = ({ args }) => {
  const words = wordsOf(args[0]?.text === '--' ? args.slice(1) : args);
  const [format, ...values] = words ?? [];
  if (format === undefined || /%[^sdib%]/.test(format.replaceAll('%%', ''))) return null;
  const slots = format.replaceAll('%%', '').match(/%[sdib]/g)?.length ?? 0;
  let text = '';
  for (let at = 0; at === 0 || (slots > 0 && at < values.length); at += Math.max(slots, 1)) {
    const taken = values.slice(at, at + slots);
    text += unescaped(format).replace(/%([sdib%])/g, (_, kind: string) => {
      if (kind === '%') return '%';
      const value = taken.shift() ?? (kind === 's' || kind === 'b' ? '' : '0');
      return kind === 'b' ? unescaped(value) : value;
    });
  }
  return text;
};

const cat: Output = (call) => {
  const { operands } = options(call.args, 'u');
  if (call.args.some(({ text }) => text !== null && /^-[^u]/.test(text))) return null;
  if (operands.length === 0) return call.stdin;
  const texts = operands.map((name) => (name.text === '-' ? call.stdin : textOn(call, name)));
  return texts.includes(null) ? null : texts.join('');
};

const line = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? `${text}\n` : null;

const basename: Output = ({ args }) => {
  const given = options(args, 'a s,suffix: z');
  const words = wordsOf(given.operands);
  if (words === null || given.has('a', 's')) return null;
  const [path = '', suffix = ''] = words;
  const name = baseName(path);
  return line(
    suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name,
  );
};

const dirname: Output = ({ args }) => {
  const words = wordsOf(options(args, 'z').operands);
  return words === null ? null : words.map((word) => `${dirName(word)}\n`).join('');
};

/** A path elsewhere, with a name that does not exist yet. */
const mktemp: Output = ({ args, start, cwd }) => {
  const given = options(args, 'p,tmpdir: suffix: d u q t');
  const words = wordsOf(given.operands);
  const outside = start.env['TMPDIR'] ?? '/tmp';
  if (words === null) return null;
  const [template = 'tmp.XXXXXXXXXX'] = words;
  const isInTemporary = words.length === 0 || given.has('t');
  const dir = given.has('p') ? given.value('p')?.text : isInTemporary ? outside : cwd;
  return line(typeof dir === 'string' ? absolute(template, dir) : null);
};

/** `--show-toplevel`: the nearest ancestor directory with a `.git`. */
const git: Output = ({ args, cwd, start, variables }) => {
  const words = wordsOf(args);
  if (words === null || [...variables.keys()].some((name) => name.startsWith('GIT_'))) return null;
  const [first, second = '', third = '', ...more] = words;
  const isElsewhere = first === '-C';
  const from = isElsewhere ? absolute(second, cwd) : cwd;
  const asked = isElsewhere ? [third, ...more].join(' ') : words.join(' ');
  if (from === null || !/^rev-parse --show-(?:toplevel|cdup)$/.test(asked)) return null;
  const root = checkoutAround(start.look, from);
  return root !== null && asked.endsWith('toplevel') ? line(root) : null;
};

/** Links are not followed: here, a path that is a link names only itself. */
const realpath: Output = ({ args, cwd }) => {
  const { operands } = options(args, 'e m s q z f');
  const [only, more] = operands;
  return typeof only?.text === 'string' && more === undefined ? line(absolute(only.text, cwd)) : null;
};

const readlink: Output = (call) =>
  call.args.some(({ text }) => text !== null && /^-[fem]+$/.test(text)) ? realpath(call) : null;

const seq: Output = ({ args }) => {
  const numbers = wordsOf(args)?.map(Number) ?? [];
  const to = numbers.at(-1);
  if (to === undefined || numbers.length > 3 || !numbers.every(Number.isInteger)) return null;
  const from = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
  const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
  const count = Math.floor((to - from) / step) + 1;
  if (step === 0 || count > LIMITS.names) return null;
  return Array.from({ length: Math.max(0, count) }, (_, nth) => `${from + nth * step}\n`).join('');
};

const pwd: Output = ({ cwd }) => line(cwd);

export const TEXTS: Readonly<Record<string, Output>> = {
  ...{ echo, printf, cat, basename, dirname, mktemp, git, realpath, grealpath: realpath, readlink, seq, pwd },
};
