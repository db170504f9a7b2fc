/** What is known at one point of a program. */
import type { Expression, Grammar, Source } from './expression.ts';
import type { Names } from './names.ts';
import type { Language } from './token.ts';
import type { Value } from './value.ts';

export type CallExpression = Extract<Expression, { is: 'call' }>;

/** The arguments that each function of the program is called with, by position. */
export type Passings = Map<string, Value[][]>;

export interface Walk extends Source {
  readonly language: Language;
  readonly names: Names;
  /** From an earlier walk. */
  readonly passings: Passings;
  /** What each loop iterates over, by the position of the bracket that takes the loop's body. */
  readonly loops: Map<number, Value>;
  /** Open brackets. */
  readonly open: string[];
  /** The indentation of the line. */
  indent: number;
  last_each: Value | null;
}

export const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  python: { may_omit_brackets: false, joins: /^[+/]$/ },
  node: { may_omit_brackets: false, joins: /^\+$/ },
  ruby: { may_omit_brackets: true, joins: /^[+/]$/ },
  perl: { may_omit_brackets: true, joins: /^\.$/ },
};

/** Names bound here are unbound when the walk leaves this level. */
export const levelOf = (walk: Walk): number =>
  (walk.language === 'python' ? walk.indent : walk.open.filter((it) => it === '{').length) + 1;

/** The same for brackets: deeper than any line is indented. */
export const bracketsOf = ({ open }: Walk): number => 1_000 + open.length;

export const isNested = (walk: Walk): boolean => levelOf(walk) > 1;
