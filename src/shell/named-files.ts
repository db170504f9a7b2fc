/**
 * Files that a command line may show: words that name a file, here or in a directory to which the line changes.
 * Deliberately too broad, because only what was really printed counts (claude/text/proof.ts).
 */
import { resolve } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { matchesGlob } from '../core/glob/match.ts';
import { parseGlob } from '../core/glob/parse.ts';
import type { Look } from './call.ts';
import { joined } from './path.ts';

/** Only the first words of a longer line are considered. */
const WORDS_MAX = 400;
const WORD_CHARS = 400;
const FILES_MAX = 64;
/** Only the beginning and the end of a longer line are read: a here-document of 1 MB took 90 ms. */
const END_CHARS = 16_384;
/** The number of names considered in a directory. */
const NAMES_MAX = 256;
/** Up to this number files are checked one by one; for more, listing the directory is as cheap. */
const FEW = 24;

/** Absolute paths, each once, at most 64. */
export function namedFiles(whole: string, cwd: string, disk: Look): readonly string[] {
  const line =
    whole.length <= 2 * END_CHARS ? whole : `${whole.slice(0, END_CHARS)}\n${whole.slice(-END_CHARS)}`;
  const look = onceEach(disk);
  const found = new Set<string>();
  const words = wordsOf(line);
  const from = resolve(cwd);
  for (const dir of [from, ...directoriesIn(line, from, look)]) {
    const names = words.length < FEW ? null : namesIn(dir, look);
    for (const { text, first } of words) {
      if (names !== null && first !== null && !names.has(first)) continue;
      for (const file of filesFor(text, dir, look)) {
        found.add(file);
        if (found.size === FILES_MAX) return [...found];
      }
    }
  }
  return [...found];
}

/** The same paths recur for every directory to which the line changes. */
function onceEach(disk: Look): Look {
  const kinds = new Map<string, ReturnType<Look['kind']>>();
  const lists = new Map<string, readonly string[]>();
  return {
    ...disk,
    kind(path) {
      if (!kinds.has(path)) kinds.set(path, disk.kind(path));
      return kinds.get(path) ?? null;
    },
    list(dir) {
      const known = lists.get(dir) ?? disk.list(dir);
      lists.set(dir, known);
      return known;
    },
  };
}

interface Word {
  readonly text: string;
  /** The name that the directory must contain for this to be a file there, in lower case; null if that is not enough to tell. */
  readonly first: string | null;
}

/**
 * Most words begin with a name that is not in the directory: one listing saves a question for each, which took 9 ms for a
 * line of 1 KB. Case is ignored, as on some disks; a name that a disk may spell differently is checked.
 */
const namesIn = (dir: string, look: Look): ReadonlySet<string> =>
  new Set(look.list(dir).map((name) => name.toLowerCase()));

function firstOf(text: string, is_odd: boolean): string | null {
  const cut = text.indexOf('/');
  const dirs = cut === -1 ? text : text.slice(0, text.lastIndexOf('/'));
  if (BEGINS.has(text.charAt(0)) || isPattern(dirs) || (is_odd && ODD.test(text))) return null;
  return (cut === -1 ? text : text.slice(0, cut)).toLowerCase();
}

/** If the line has no such character, none of its words has. */
const ODD = /[^\x20-\x7e]/;

const BEGINS: ReadonlySet<string> = new Set(['.', '/', '~']);

/** Not a regular expression: V8 compiles a frequently used one twice in a process. */
const isPattern = (word: string): boolean => word.includes('*') || word.includes('?') || word.includes('[');

const QUOTED = /"([^"\n]{1,400})"|'([^'\n]{1,400})'/g;

/** Empty, an option, or only parent directories. */
const isNoFile = (word: string): boolean =>
  word === '' || word.startsWith('-') || (BEGINS.has(word.charAt(0)) && /^[./]*$/.test(word));

function wordsOf(whole: string): readonly Word[] {
  // `$?` does not match a file name of one character.
  const line = whole.replaceAll('$?', ' ');
  const is_odd = ODD.test(line.replaceAll('\n', ' '));
  const quoted = [...line.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
  const words = [...quoted, ...line.split(/[\s;|&()<>"'`=,:{}$]+/)];
  const usable = words.filter((word) => !isNoFile(word) && word.length < WORD_CHARS);
  return [...new Set(usable)].slice(0, WORDS_MAX).map((text) => ({ text, first: firstOf(text, is_odd) }));
}

/** The targets of `cd`, `pushd` and `-C`, in order. */
function directoriesIn(line: string, cwd: string, look: Look): readonly string[] {
  const found: string[] = [];
  for (const [, , to] of line.matchAll(/(?:^|[;&|(\s])(?:cd|pushd|-C)\s+(['"]?)([^\s;&|'"]+)\1/g)) {
    const dirs = [resolve(found.at(-1) ?? cwd, to ?? ''), resolve(cwd, to ?? '')];
    found.push(...dirs.filter((dir) => !found.includes(dir) && look.kind(dir) === 'directory'));
  }
  return found;
}

function* filesFor(word: string, dir: string, look: Look): Generator<string> {
  if (isPattern(word)) {
    yield* matchesOf(word, dir, look);
    return;
  }
  const path = inside(dir, word);
  const kind = look.kind(path);
  if (kind === 'file') yield path;
  // The command's own directory is where it runs, not what it shows.
  if (kind !== 'directory' || path === dir) return;
  for (const name of look.list(path).slice(0, NAMES_MAX))
    if (look.kind(joined(path, name)) === 'file') yield joined(path, name);
}

/** `resolve` goes through both character by character: 1 ms for a line of 1 KB. Most words have nothing to resolve. */
const inside = (dir: string, word: string): string =>
  word.split('/').some((part) => part === '' || part === '.' || part === '..')
    ? resolve(dir, word)
    : joined(dir, word);

/** A pattern in the last part of a path. */
function* matchesOf(word: string, dir: string, look: Look): Generator<string> {
  const cut = word.lastIndexOf('/');
  const parent = cut === -1 ? dir : inside(dir, word.slice(0, cut) || '/');
  const text = word.slice(cut + 1);
  // Code is full of text that looks like a pattern, but begins like no file name.
  const special = ['*', '?', '[', '\\'].map((char) => text.indexOf(char)).filter((at) => at !== -1);
  const begins = text.slice(0, Math.min(text.length, ...special));
  const names = look
    .list(parent)
    .slice(0, NAMES_MAX)
    .filter((name) => name.startsWith(begins));
  const pattern = names.length === 0 ? null : globOf(text);
  if (pattern === null) return;
  for (const name of names)
    if (matchesGlob(pattern, name) && look.kind(joined(parent, name)) === 'file') yield joined(parent, name);
}

/** Null if it is not a glob. */
const globOf = (text: string): ReturnType<typeof parseGlob> | null => attempt(() => parseGlob(text), null);
