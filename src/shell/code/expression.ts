/** Parses expressions from tokens, as far as they may contain a file's name. */
import { isClosing, isOpening } from './tokens.ts';
import type { Part, Token } from './token.ts';

export type Expression =
  | { readonly is: 'text'; readonly parts: readonly Part[] }
  | { readonly is: 'name'; readonly name: string }
  /** `is_keyed`: a dictionary, whose items are pairs. */
  | { readonly is: 'list'; readonly items: readonly Expression[]; readonly is_keyed?: true }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'call'; readonly of: Expression; readonly args: readonly Passed[]; readonly at: number }
  | { readonly is: 'member'; readonly of: Expression; readonly name: string }
  | { readonly is: 'index'; readonly of: Expression; readonly at: number | null; readonly is_slice: boolean }
  /** `sign`: `/` joins paths, the others join texts. */
  | { readonly is: 'joined'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: 'other' };

export interface Passed {
  readonly key?: string;
  readonly value: Expression;
}

export interface ParsedCode<T> {
  readonly value: T;
  /** The position of the token after it. */
  readonly end: number;
}

const OTHER: Expression = { is: 'other' };
const MOST_DEPTH = 40;
const BEFORE = /^(?:await|new|my|our|local|const|let|var|not|return)$/;
/** Words that end arguments passed without brackets. */
const ENDS = /^(?:or|and|if|unless|while|until|do|for|foreach|then|end|rescue)$/;

/** `open my $fh, '>', 'f' or die`: Perl and Ruby need no brackets. */
export interface Grammar {
  readonly may_omit_brackets: boolean;
  /** Perl joins texts with a dot. */
  readonly joins: RegExp;
}

/** The input of the parser. */
export interface Source {
  readonly tokens: readonly Token[];
  readonly grammar: Grammar;
}

export function expressionAt(source: Source, start: number, depth = 0): ParsedCode<Expression> {
  if (depth > MOST_DEPTH) return { value: OTHER, end: start + 1 };
  const { tokens, grammar } = source;
  let { value, end } = chainAt(source, start, depth);
  for (;;) {
    const sign = tokens[end];
    if (sign?.kind !== 'mark' || !grammar.joins.test(sign.text)) return { value, end };
    const right = chainAt(source, behindLines(tokens, end + 1), depth + 1);
    value = { is: 'joined', sign: sign.text, left: value, right: right.value };
    end = right.end;
  }
}

/** A name, text or list with all calls, members and indexes after it. */
export function chainAt(source: Source, start: number, depth = 0): ParsedCode<Expression> {
  if (depth > MOST_DEPTH) return { value: OTHER, end: start + 1 };
  const { tokens, grammar } = source;
  let { value, end } = primaryAt(source, start, depth);
  for (;;) {
    const [next, after] = [tokens[end], tokens[end + 1]];
    if (next?.kind === 'mark' && next.text === '(') {
      const args = passedAt(source, end + 1, ')', depth + 1);
      value = { is: 'call', of: value, args: args.value, at: end };
      end = args.end;
    } else if (
      next?.kind === 'mark' &&
      MEMBERS.test(next.text) &&
      after?.kind === 'name' &&
      !isPerlDot(next, grammar)
    ) {
      value = { is: 'member', of: value, name: after.text };
      end += 2;
    } else if (next?.kind === 'line' && isDotted(tokens, end) && !grammar.joins.test('.')) {
      end = behindLines(tokens, end);
    } else if (next?.kind === 'mark' && next.text === '[' && isAdjacent(tokens, end)) {
      ({ value, end } = indexAt(tokens, end, value));
    } else return grammar.may_omit_brackets ? withoutBrackets(source, { value, end }, depth) : { value, end };
  }
}

/** Operators that precede the name of a member. */
const MEMBERS = /^(?:\.|->|::|\?\.)$/;
const isPerlDot = (mark: Token, grammar: Grammar): boolean => mark.text === '.' && grammar.joins.test('.');
const isDotted = (tokens: readonly Token[], at: number): boolean =>
  tokens[behindLines(tokens, at)]?.text === '.';

function isAdjacent(tokens: readonly Token[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]];
  return before !== undefined && here !== undefined && before.at + before.text.length === here.at;
}

function primaryAt(source: Source, start: number, depth: number): ParsedCode<Expression> {
  const { tokens } = source;
  const token = tokens[start];
  if (token === undefined) return { value: OTHER, end: start };
  if (token.kind === 'name' && BEFORE.test(token.text)) return primaryAt(source, start + 1, depth + 1);
  if (token.kind === 'name') return { value: { is: 'name', name: token.text }, end: start + 1 };
  if (token.kind === 'list') return { value: listOf(token.parts), end: start + 1 };
  if (token.kind === 'text') {
    let [parts, end] = [token.parts, start + 1];
    // Adjacent texts are one.
    for (let next = tokens[end]; next?.kind === 'text'; next = tokens[++end])
      parts = [...parts, ...next.parts];
    return { value: { is: 'text', parts }, end };
  }
  if (isOpening(token)) {
    const close = token.text === '(' ? ')' : token.text === '[' ? ']' : '}';
    const { value, end } = passedAt(source, start + 1, close, depth + 1);
    const [only] = value;
    if (close === ')' && value.length === 1 && only !== undefined && tokens[end - 2]?.text !== ',')
      return { value: only.value, end };
    const items = value.map((it) => it.value);
    return { value: close === '}' ? { is: 'list', items, is_keyed: true } : { is: 'list', items }, end };
  }
  if (token.kind === 'number') return { value: { is: 'number', value: Number(token.text) }, end: start + 1 };
  if (token.kind === 'mark' && (token.text === '\\' || token.text === '...' || token.text === '*'))
    return primaryAt(source, start + 1, depth + 1);
  return { value: OTHER, end: start + 1 };
}

const listOf = (parts: readonly Part[]): Expression => ({
  is: 'list',
  items: parts.map((it) => ({ is: 'text', parts: [it] })),
});

/** The arguments in brackets, from after the opening one; `key=value`, `key: value` and `key => value` keep the key. */
function passedAt(source: Source, start: number, close: string, depth: number): ParsedCode<Passed[]> {
  const { tokens } = source;
  const passed: Passed[] = [];
  let at = behindLines(tokens, start);
  while (at < tokens.length && tokens[at]?.text !== close) {
    const one = onePassed(source, at, depth, close === '}');
    const end = behindArgument(tokens, one.end);
    passed.push(isEndOfArgument(tokens[behindLines(tokens, one.end)]) ? one.value : { value: OTHER });
    at = behindLines(tokens, tokens[end]?.text === ',' || tokens[end]?.text === '=>' ? end + 1 : end);
    if (tokens[end] === undefined || isClosing(tokens[end])) return { value: passed, end: end + 1 };
  }
  return { value: passed, end: at + 1 };
}

function onePassed(source: Source, at: number, depth: number, is_dictionary: boolean): ParsedCode<Passed> {
  const { tokens } = source;
  const [first, sign] = [tokens[at], tokens[at + 1]];
  const has_key =
    sign?.kind === 'mark' &&
    /^(?:=|:|=>)$/.test(sign.text) &&
    (first?.kind === 'name' || first?.kind === 'text');
  if (has_key && is_dictionary) {
    const key = expressionAt(source, at, depth + 1);
    const value = expressionAt(source, behindLines(tokens, key.end + 1), depth + 1);
    const name: Expression = first.kind === 'name' ? { is: 'text', parts: [first.text] } : key.value;
    return { value: { value: { is: 'list', items: [name, value.value] } }, end: value.end };
  }
  const key = has_key && first.kind === 'name' ? { key: first.text } : {};
  const begin = 'key' in key ? behindLines(tokens, at + 2) : at;
  const { value, end } = expressionAt(source, begin, depth + 1);
  return { value: { ...key, value }, end };
}

const isEndOfArgument = (token: Token | undefined): boolean =>
  token === undefined ||
  (token.kind === 'mark' && /^(?:[,;)\]}]|=>)$/.test(token.text)) ||
  (token.kind === 'name' && ENDS.test(token.text));

/** Skips everything that was not understood, up to the comma or bracket that ends it. */
function behindArgument(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (depth === 0 && (isClosing(token) || (token?.kind === 'mark' && token.text === ','))) return at;
    if (isOpening(token)) depth++;
    else if (isClosing(token)) depth--;
  }
  return tokens.length;
}

function indexAt(tokens: readonly Token[], open: number, of: Expression): ParsedCode<Expression> {
  const [first, second] = [tokens[open + 1], tokens[open + 2]];
  const end = behindArgument(tokens, open + 1) + 1;
  const at = first?.kind === 'number' ? Number(first.text) : null;
  const is_slice =
    second?.text === ':' || second?.text === '..' || first?.text === ':' || second?.text === '.';
  const is_plain = second?.text === ']' || is_slice;
  return { value: { is: 'index', of, at: is_plain ? at : null, is_slice }, end };
}

function withoutBrackets(
  source: Source,
  parsed: ParsedCode<Expression>,
  depth: number,
): ParsedCode<Expression> {
  const { tokens } = source;
  const { value, end } = parsed;
  const [before, next] = [tokens[end - 1], tokens[end]];
  const is_call = (value.is === 'name' && /^[a-z_]/i.test(value.name)) || value.is === 'member';
  if (!is_call || before?.kind !== 'name' || ENDS.test(before.text)) return parsed;
  const is_begun =
    next?.kind === 'text' || next?.kind === 'list' || (next?.kind === 'name' && !ENDS.test(next.text));
  if (!is_begun) return parsed;
  const passed: Passed[] = [];
  let at = end;
  for (;;) {
    const one = onePassed(source, at, depth + 1, false);
    passed.push(one.value);
    at = one.end;
    if (tokens[at]?.text !== ',' && tokens[at]?.text !== '=>') break;
    at = behindLines(tokens, at + 1);
  }
  return { value: { is: 'call', of: value, args: passed, at: end }, end: at };
}

export function behindLines(tokens: readonly Token[], start: number): number {
  let at = start;
  while (tokens[at]?.kind === 'line') at++;
  return at;
}

/** `os.path.join` as text; null if something else is called. */
export function dotted(expression: Expression): string | null {
  if (expression.is === 'name') return expression.name;
  if (expression.is !== 'member') return null;
  const of = dotted(expression.of);
  return of === null ? null : `${of}.${expression.name}`;
}
