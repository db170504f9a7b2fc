/** Walks a program from top to bottom: the values of its names, and each call with these values. */
import { eachIn } from './comprehension.ts';
import { behindLines, chainAt, dotted, type Expression, expressionAt } from './expression.ts';
import { STATEMENTS } from './statements.ts';
import { isClosing, isOpening } from './tokens.ts';
import type { Token } from './token.ts';
import { valueOf } from './values.ts';
import { NOBODY_KNOWS, type Value } from './value.ts';
import { bracketsOf, type CallExpression, isNested, levelOf, type Walk } from './walk-state.ts';

const LOOPS = /^(?:forEach|map|flatMap|filter|each|each_with_index|each_pair|each_key|collect|select)$/;

export type CallVisit = (call: CallExpression, token: Token, walk: Walk) => void;

export function walkThrough(walk: Walk, visit: CallVisit): void {
  const { tokens, names, open } = walk;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'line') beginLine(walk, token, tokens[at + 1]);
    else if (token.kind === 'mark') {
      if (isOpening(token)) open.push(token.text);
      else if (isClosing(token)) {
        if (walk.language === 'python') names.leave(bracketsOf(walk));
        open.pop();
        if (token.text === '}' && walk.language !== 'python') names.leave(levelOf(walk));
      }
      STATEMENTS[walk.language](walk, at);
    }
    if (token.kind === 'mark' && token.text !== '(' && token.text !== '[') continue;
    if (token.kind === 'line' || isMember(walk, at) || belongsToValue(walk, at)) continue;
    if (token.kind === 'name') {
      STATEMENTS[walk.language](walk, at);
      assignment(walk, at);
    }
    if (token.kind === 'command') visit(commandOf(token, at), token, walk);
    else visitChain(walk, at, visit);
  }
}

function beginLine(walk: Walk, token: Token, next: Token | undefined): void {
  if (next === undefined || next.kind === 'line') return;
  walk.indent = token.text.replaceAll('\t', ' '.repeat(8)).length;
  if (walk.language === 'python' && walk.open.length === 0) walk.names.leave(walk.indent + 1);
}

function isMember({ tokens, language }: Walk, at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind !== 'mark') return false;
  return /^(?:->|::|\?\.)$/.test(before.text) || (before.text === '.' && language !== 'perl');
}

/** Whether a bracket belongs to a call or an index, and is parsed with the value before it. */
function belongsToValue({ tokens }: Walk, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token?.kind !== 'mark' || before === undefined || before.at + before.text.length !== token.at)
    return false;
  return before.kind === 'name' || (before.kind === 'mark' && /^[)\]]$/.test(before.text));
}

function assignment(walk: Walk, at: number): void {
  const { tokens, names, open } = walk;
  const [token, sign] = [tokens[at], tokens[at + 1]];
  if (token === undefined || sign?.kind !== 'mark' || (open.length > 0 && open.at(-1) !== '{')) return;
  const is_typed = tokens[at - 1]?.text === ':' && tokens[at - 2]?.kind === 'name';
  const name = (is_typed ? tokens[at - 2]?.text : token.text) ?? token.text;
  if (sign.text === '+=') names.assign(name, NOBODY_KNOWS, false);
  if (sign.text !== '=') return;
  const begin = behindLines(tokens, at + 2);
  const each = walk.language === 'python' ? eachIn(walk, begin) : null;
  if (each !== null) {
    names.assign(name, each, isNested(walk));
    return;
  }
  const { value, end } = expressionAt(walk, begin);
  const is_whole = isEnd(tokens[end]);
  names.assign(name, is_whole ? assigned(walk, value) : NOBODY_KNOWS, isNested(walk));
}

function assigned(walk: Walk, value: Expression): Value {
  const name = value.is === 'call' ? dotted(value.of) : dotted(value);
  if (name === 'shift' && !isNested(walk)) return walk.names.shifted();
  return valueOf(value, walk.names);
}

const isEnd = (token: Token | undefined): boolean =>
  token === undefined ||
  token.kind === 'line' ||
  (token.kind === 'mark' && /^[;,)\]}]$/.test(token.text)) ||
  (token.kind === 'name' && /^(?:or|as|die)$/.test(token.text));

/** Visits every call in the chain that begins here. */
function visitChain(walk: Walk, at: number, visit: CallVisit): void {
  const token = walk.tokens[at];
  const before = walk.tokens[at - 1];
  if (
    token === undefined ||
    (token.kind === 'name' && /^(?:def|sub|function|class)$/.test(before?.text ?? ''))
  )
    return;
  let link: Expression | null = chainAt(walk, at).value;
  while (link !== null) {
    if (link.is === 'member' && LOOPS.test(link.name)) walk.last_each = valueOf(link.of, walk.names);
    if (link.is === 'call') {
      if (link.of.is === 'member' && LOOPS.test(link.of.name))
        walk.loops.set(link.at, valueOf(link.of.of, walk.names));
      visit(link, token, walk);
    }
    link = link.is === 'call' || link.is === 'member' || link.is === 'index' ? link.of : null;
  }
}

/** Backticks are a call of the shell. */
const commandOf = ({ parts }: Token, at: number): CallExpression => ({
  is: 'call',
  of: { is: 'name', name: 'system' },
  args: [{ value: { is: 'text', parts } }],
  at,
});
