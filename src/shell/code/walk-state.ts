/** What is known at one place of a program. */
import type { Expression, Grammar, Source } from './expression.ts';
import type { Names } from './names.ts';
import type { Language } from './token.ts';
import type { Value } from './value.ts';

export type CallExpression = Extract<Expression, { is: 'call' }>;

/** What each function of the program is called with, by place. */
export type Passings = Map<string, Value[][]>;

export interface Walk extends Source {
  readonly language: Language;
  readonly names: Names;
  /** Of an earlier walk. */
  readonly passings: Passings;
  /** What loops over what, by the place of the bracket that takes the loop's body. */
  readonly loops: Map<number, Value>;
  /** Open brackets. */
  readonly open: string[];
  /** White space before the line. */
  indent: number;
  last_each: Value | null;
}

export const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  python: { may_omit_brackets: false, joins: /^[+/]$/ },
  node: { may_omit_brackets: false, joins: /^\+$/ },
  ruby: { may_omit_brackets: true, joins: /^[+/]$/ },
  perl: { may_omit_brackets: true, joins: /^\.$/ },
};

/** What is bound here ends when the walk is back above this. */
export const levelOf = (walk: Walk): number =>
  (walk.language === 'python' ? walk.indent : walk.open.filter((it) => it === '{').length) + 1;

/** The same of brackets: deeper than any line is indented. */
export const bracketsOf = ({ open }: Walk): number => 1_000 + open.length;

export const isNested = (walk: Walk): boolean => levelOf(walk) > 1;
