/** Expressions over tokens, as far as a file's name may be in one. */
import type { Part, Token } from './tokens.ts';

export type Expression =
  | { readonly is: 'text'; readonly parts: readonly Part[] }
  | { readonly is: 'name'; readonly name: string }
  /** `is_keyed`: a dictionary, its items are pairs. */
  | { readonly is: 'list'; readonly items: readonly Expression[]; readonly is_keyed?: true }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'call'; readonly of: Expression; readonly args: readonly Passed[]; readonly at: number }
  | { readonly is: 'member'; readonly of: Expression; readonly name: string }
  | { readonly is: 'index'; readonly of: Expression; readonly at: number | null; readonly is_slice: boolean }
  /** `sign`: `/` joins paths, the others texts. */
  | { readonly is: 'joined'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: 'other' };

export interface Passed {
  readonly key?: string;
  readonly value: Expression;
}

export interface ParsedCode<T> {
  readonly value: T;
  /** The token behind it. */
  readonly end: number;
}

const OTHER: Expression = { is: 'other' };
const MOST_DEPTH = 40;
const BEFORE = /^(?:await|new|my|our|local|const|let|var|not|return)$/;
/** Ends what is passed without brackets. */
const ENDS = /^(?:or|and|if|unless|while|until|do|for|foreach|then|end|rescue)$/;

/** `open my $fh, '>', 'f' or die`: perl and ruby need no brackets. */
export interface Grammar {
  readonly may_omit_brackets: boolean;
  /** Perl joins texts with a dot. */
  readonly joins: RegExp;
}

export function expressionAt(
  tokens: readonly Token[],
  start: number,
  grammar: Grammar,
  depth = 0,
): ParsedCode<Expression> {
  if (depth > MOST_DEPTH) return { value: OTHER, end: start + 1 };
  let { value, end } = chainAt(tokens, start, grammar, depth);
  for (;;) {
    const sign = tokens[end];
    if (sign?.kind !== 'mark' || !grammar.joins.test(sign.text)) return { value, end };
    const right = chainAt(tokens, behindLines(tokens, end + 1), grammar, depth + 1);
    value = { is: 'joined', sign: sign.text, left: value, right: right.value };
    end = right.end;
  }
}

/** A name, text or list with all calls, members and indexes behind it. */
export function chainAt(
  tokens: readonly Token[],
  start: number,
  grammar: Grammar,
  depth = 0,
): ParsedCode<Expression> {
  if (depth > MOST_DEPTH) return { value: OTHER, end: start + 1 };
  let { value, end } = primaryAt(tokens, start, grammar, depth);
  for (;;) {
    const [next, after] = [tokens[end], tokens[end + 1]];
    if (next?.kind === 'mark' && next.text === '(') {
      const args = passedAt(tokens, end + 1, ')', grammar, depth + 1);
      value = { is: 'call', of: value, args: args.value, at: end };
      end = args.end;
    } else if (
      next?.kind === 'mark' &&
      /^(?:\.|->|::|\?\.)$/.test(next.text) &&
      after?.kind === 'name' &&
      !isPerlDot(next, grammar)
    ) {
      value = { is: 'member', of: value, name: after.text };
      end += 2;
    } else if (next?.kind === 'line' && isDotted(tokens, end) && !grammar.joins.test('.')) {
      end = behindLines(tokens, end);
    } else if (next?.kind === 'mark' && next.text === '[' && isAdjacent(tokens, end)) {
      const index = indexAt(tokens, end, value);
      value = index.value;
      end = index.end;
    } else
      return grammar.may_omit_brackets
        ? withoutBrackets(tokens, { value, end }, grammar, depth)
        : { value, end };
  }
}

const isPerlDot = (mark: Token, grammar: Grammar): boolean => mark.text === '.' && grammar.joins.test('.');
const isDotted = (tokens: readonly Token[], at: number): boolean =>
  tokens[behindLines(tokens, at)]?.text === '.';

function isAdjacent(tokens: readonly Token[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]];
  return before !== undefined && here !== undefined && before.at + before.text.length === here.at;
}

function primaryAt(
  tokens: readonly Token[],
  start: number,
  grammar: Grammar,
  depth: number,
): ParsedCode<Expression> {
  const token = tokens[start];
  if (token === undefined) return { value: OTHER, end: start };
  if (token.kind === 'name' && BEFORE.test(token.text))
    return primaryAt(tokens, start + 1, grammar, depth + 1);
  if (token.kind === 'name') return { value: { is: 'name', name: token.text }, end: start + 1 };
  if (token.kind === 'list') return { value: listOf(token.parts), end: start + 1 };
  if (token.kind === 'text') {
    let [parts, end] = [token.parts, start + 1];
    // Texts side by side are one.
    for (let next = tokens[end]; next?.kind === 'text'; next = tokens[++end])
      parts = [...parts, ...next.parts];
    return { value: { is: 'text', parts }, end };
  }
  if (token.kind === 'mark' && '([{'.includes(token.text)) {
    const close = token.text === '(' ? ')' : token.text === '[' ? ']' : '}';
    const { value, end } = passedAt(tokens, start + 1, close, grammar, depth + 1);
    const [only] = value;
    if (close === ')' && value.length === 1 && only !== undefined && tokens[end - 2]?.text !== ',')
      return { value: only.value, end };
    const items = value.map((it) => it.value);
    return { value: close === '}' ? { is: 'list', items, is_keyed: true } : { is: 'list', items }, end };
  }
  if (token.kind === 'number') return { value: { is: 'number', value: Number(token.text) }, end: start + 1 };
  if (token.kind === 'mark' && (token.text === '\\' || token.text === '...' || token.text === '*'))
    return primaryAt(tokens, start + 1, grammar, depth + 1);
  return { value: OTHER, end: start + 1 };
}

const listOf = (parts: readonly Part[]): Expression => ({
  is: 'list',
  items: parts.map((it) => ({ is: 'text', parts: [it] })),
});

/** What is passed in brackets, from behind the opening one; `key=value`, `key: value` and `key => value` keep the key. */
export function passedAt(
  tokens: readonly Token[],
  start: number,
  close: string,
  grammar: Grammar,
  depth: number,
): ParsedCode<Passed[]> {
  const passed: Passed[] = [];
  let at = behindLines(tokens, start);
  while (at < tokens.length && tokens[at]?.text !== close) {
    const one = onePassed(tokens, at, grammar, depth, close === '}');
    const end = behindArgument(tokens, one.end);
    passed.push(isEndOfArgument(tokens[behindLines(tokens, one.end)]) ? one.value : { value: OTHER });
    at = behindLines(tokens, tokens[end]?.text === ',' || tokens[end]?.text === '=>' ? end + 1 : end);
    if (tokens[end] === undefined || (/^[)\]}]$/.test(tokens[end].text) && tokens[end].kind === 'mark'))
      return { value: passed, end: end + 1 };
  }
  return { value: passed, end: at + 1 };
}

function onePassed(
  tokens: readonly Token[],
  at: number,
  grammar: Grammar,
  depth: number,
  is_dictionary: boolean,
): ParsedCode<Passed> {
  const [first, sign] = [tokens[at], tokens[at + 1]];
  const has_key =
    sign?.kind === 'mark' &&
    /^(?:=|:|=>)$/.test(sign.text) &&
    (first?.kind === 'name' || first?.kind === 'text');
  if (has_key && is_dictionary) {
    const key = expressionAt(tokens, at, grammar, depth + 1);
    const value = expressionAt(tokens, behindLines(tokens, key.end + 1), grammar, depth + 1);
    const name: Expression = first.kind === 'name' ? { is: 'text', parts: [first.text] } : key.value;
    return { value: { value: { is: 'list', items: [name, value.value] } }, end: value.end };
  }
  if (has_key && first.kind === 'name') {
    const { value, end } = expressionAt(tokens, behindLines(tokens, at + 2), grammar, depth + 1);
    return { value: { key: first.text, value }, end };
  }
  const { value, end } = expressionAt(tokens, at, grammar, depth + 1);
  return { value: { value }, end };
}

const isEndOfArgument = (token: Token | undefined): boolean =>
  token === undefined ||
  (token.kind === 'mark' && /^(?:[,;)\]}]|=>)$/.test(token.text)) ||
  (token.kind === 'name' && ENDS.test(token.text));

/** Past everything that was not understood, to the comma or bracket that ends it. */
function behindArgument(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'mark') continue;
    if (depth === 0 && (token.text === ',' || /^[)\]}]$/.test(token.text))) return at;
    if ('([{'.includes(token.text)) depth++;
    else if (')]}'.includes(token.text)) depth--;
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
  tokens: readonly Token[],
  parsed: ParsedCode<Expression>,
  grammar: Grammar,
  depth: number,
): ParsedCode<Expression> {
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
    const one = onePassed(tokens, at, grammar, depth + 1, false);
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

/** `os.path.join` as text; null: something else is called. */
export function dotted(expression: Expression): string | null {
  if (expression.is === 'name') return expression.name;
  if (expression.is !== 'member') return null;
  const of = dotted(expression.of);
  return of === null ? null : `${of}.${expression.name}`;
}
