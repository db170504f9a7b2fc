/** The expression of `find`: tests on one entry, and actions on entries that pass. */
import { wordList } from '../../core/word-list.ts';
import type { Argument } from '../call.ts';
import { matches, type PatternToken, tokensOf } from '../pattern.ts';

export interface FoundEntry {
  /** As it would be printed. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
  readonly depth: number;
}

export type Action =
  | { readonly kind: 'print'; readonly ends_in: string }
  | { readonly kind: 'delete' }
  /** `words` with `{}`; `is_each`: once per entry; `in_dir`: in the entry's directory. */
  | {
      readonly kind: 'run';
      readonly words: readonly Argument[];
      readonly is_each: boolean;
      readonly in_dir: boolean;
    }
  | { readonly kind: 'list'; readonly file: Argument | undefined };

/** The effects of evaluating an expression. */
export interface EntryVisit {
  readonly entry: FoundEntry;
  readonly done: (action: Action) => void;
  prune: boolean;
}

export type Test = (visit: EntryVisit) => boolean;

export interface FindExpression {
  readonly test: Test;
  readonly actions: readonly Action[];
  /** False if the expression has a test that guard does not make: fewer entries pass than are found. */
  readonly is_exact: boolean;
  readonly min_depth: number;
  readonly max_depth: number;
}

/** A recursive descent over the words; `at` only advances. */
interface Reader {
  readonly args: readonly Argument[];
  at: number;
  is_exact: boolean;
  min_depth: number;
  max_depth: number;
  readonly actions: Action[];
}

export function expressionOf(args: readonly Argument[]): FindExpression {
  const reader: Reader = { args, at: 0, is_exact: true, min_depth: 0, max_depth: Infinity, actions: [] };
  const test = either(reader, 0);
  // Words are left over after an unbalanced bracket.
  if (reader.at < args.length) reader.is_exact = false;
  const { is_exact, min_depth, max_depth, actions } = reader;
  return { test, actions, is_exact, min_depth, max_depth };
}

const textAt = ({ args, at }: Reader): string | null | undefined => args[at]?.text;

function either(reader: Reader, depth: number): Test {
  const ways = [both(reader, depth)];
  while (textAt(reader) === '-o' || textAt(reader) === '-or') {
    reader.at++;
    ways.push(both(reader, depth));
  }
  return (visit) => ways.some((way) => way(visit));
}

function both(reader: Reader, depth: number): Test {
  const tests: Test[] = [];
  for (;;) {
    const text = textAt(reader);
    if (text === undefined || text === '-o' || text === '-or' || text === ')') break;
    if (text === '-a' || text === '-and') reader.at++;
    else tests.push(one(reader, depth));
  }
  return (visit) => tests.every((test) => test(visit));
}

/** No real expression nests brackets this deeply. */
const MAX_DEPTH = 16;

function one(reader: Reader, depth: number): Test {
  const text = reader.args[reader.at++]?.text ?? null;
  if (text === '!' || text === '-not') {
    if (depth > MAX_DEPTH) return inexact(reader);
    const test = one(reader, depth + 1);
    return (visit) => !test(visit);
  }
  if (text === '(') {
    if (depth > MAX_DEPTH) return inexact(reader);
    const test = either(reader, depth + 1);
    if (textAt(reader) === ')') reader.at++;
    return test;
  }
  return primary(text ?? '', reader);
}

const always: Test = () => true;

function inexact(reader: Reader): Test {
  reader.is_exact = false;
  return always;
}

function primary(text: string, reader: Reader): Test {
  const name = NAMED.get(text);
  if (name !== undefined) return named(name, reader.args[reader.at++]?.text ?? null, reader);
  if (RUNS.test(text)) return acted(runOf(text, reader), reader);
  const simple = SIMPLE.get(text);
  if (simple !== undefined) return 'kind' in simple ? acted(simple, reader) : () => simple.passes;
  switch (text) {
    case '-type':
      return typed(reader.args[reader.at++]?.text ?? null, reader);
    case '-maxdepth':
    case '-mindepth':
      return bounded(text, reader);
    case '-prune':
      return (visit) => (visit.prune = true);
    case '-fprint':
    case '-fprint0':
    case '-fls':
      return acted({ kind: 'list', file: reader.args[reader.at++] }, reader);
    case '-fprintf':
      reader.at += 2;
      return acted({ kind: 'list', file: reader.args[reader.at - 2] }, reader);
    default:
      if (text !== '' && !BARE.has(text)) reader.at++;
      return inexact(reader);
  }
}

const PASSES = { passes: true };

type Alone = Action | { readonly passes: boolean };

/** Words without a value. */
const SIMPLE: ReadonlyMap<string, Alone> = new Map<string, Alone>([
  ['-delete', { kind: 'delete' }],
  ['-print', { kind: 'print', ends_in: '\n' }],
  ['-print0', { kind: 'print', ends_in: '\0' }],
  ['-false', { passes: false }],
  ...['-true', '-depth', '-d', '-mount', '-xdev', '-noleaf', '-follow'].map((it) => [it, PASSES] as const),
]);

/** Tests that guard does not make and that have no value; all others have one. */
const BARE = wordList('-empty -readable -writable -executable -nouser -nogroup -ls -quit');
const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

interface Named {
  readonly of: 'name' | 'path';
  readonly any_case: boolean;
}

const NAMED: ReadonlyMap<string, Named> = new Map([
  ['-name', { of: 'name', any_case: false }],
  ['-iname', { of: 'name', any_case: true }],
  ['-path', { of: 'path', any_case: false }],
  ['-wholename', { of: 'path', any_case: false }],
  ['-ipath', { of: 'path', any_case: true }],
  ['-iwholename', { of: 'path', any_case: true }],
]);

/** Compared with each of up to 2,048 paths. */
const MAX_PATTERN = 256;

function named({ of, any_case }: Named, pattern: string | null, reader: Reader): Test {
  if (pattern === null || pattern.length > MAX_PATTERN) return inexact(reader);
  const spelled = (text: string): string => (any_case ? text.toLowerCase() : text);
  const tokens: readonly PatternToken[] = tokensOf([{ text: spelled(pattern), is_quoted: false }]);
  return ({ entry }) => matches(tokens, Array.from(spelled(entry[of])));
}

const KINDS: Readonly<Record<string, FoundEntry['kind']>> = { f: 'file', d: 'directory' };

/** Links are not distinguished from their targets. */
function typed(text: string | null, reader: Reader): Test {
  const kinds = (text ?? '?').split(',').map((letter) => KINDS[letter]);
  if (kinds.includes(undefined)) return inexact(reader);
  return ({ entry }) => kinds.includes(entry.kind);
}

function bounded(text: string, reader: Reader): Test {
  const depth = Number(reader.args[reader.at++]?.text ?? NaN);
  if (!Number.isInteger(depth)) return inexact(reader);
  if (text === '-maxdepth') reader.max_depth = depth;
  else reader.min_depth = depth;
  return always;
}

function acted(action: Action, reader: Reader): Test {
  reader.actions.push(action);
  return ({ done }) => {
    done(action);
    return true;
  };
}

function runOf(text: string, reader: Reader): Action {
  const rest = reader.args.slice(reader.at);
  const end = rest.findIndex(
    (arg, nth) => arg.text === ';' || (arg.text === '+' && rest[nth - 1]?.text === '{}'),
  );
  const words = end < 0 ? rest : rest.slice(0, end);
  reader.at += words.length + 1;
  return { kind: 'run', words, is_each: rest[end]?.text !== '+', in_dir: text.endsWith('dir') };
}
