/** Statements that bind names other than by assignment: imports, functions and their parameters, loops. */
import { comprehension, goneThrough, namesUntil, valueAt } from './comprehension.ts';
import { behindLines, expressionAt } from './expression.ts';
import { isClosing, isOpening } from './tokens.ts';
import type { Language, Token } from './token.ts';
import { NOBODY_KNOWS } from './value.ts';
import { moduleNamed } from './modules.ts';
import { levelOf, type Walk } from './walk-state.ts';

type Statement = (walk: Walk, at: number) => void;

interface Pairs {
  readonly pairs: [string, string][];
  readonly end: number;
}

/** `a as b`, `a: b` as pairs: the name in the module, the name here. */
function pairsUntil(tokens: readonly Token[], start: number, until: RegExp): Pairs {
  const pairs: [string, string][] = [];
  let at = start;
  for (; at < tokens.length && at < start + 200; at++) {
    const token = tokens[at];
    if (token === undefined || (until.test(token.text) && token.kind !== 'text')) break;
    if (token.kind !== 'name') continue;
    const is_other = tokens[at + 1]?.text === 'as' || tokens[at + 1]?.text === ':';
    const other = is_other ? tokens[at + 2]?.text : undefined;
    pairs.push([token.text, other ?? token.text]);
    if (other !== undefined) at += 2;
  }
  return { pairs, end: at };
}

/** Binds parameters to the values that the program passes; if the function is never called by name, they are unknown. */
function bindParameters(walk: Walk, name: string | undefined, parameters: readonly string[]): void {
  const passed = walk.passings.get(name ?? '');
  for (const [nth, parameter] of parameters.entries()) {
    const texts = passed?.flatMap((args) => (args[nth] ?? NOBODY_KNOWS).texts);
    const value = texts === undefined ? NOBODY_KNOWS : { texts: [...new Set(texts)] };
    walk.names.bind(parameter, value, levelOf(walk));
  }
}

/** Names in brackets from `open` on, without defaults and types. */
function parametersAt(tokens: readonly Token[], open: number): string[] {
  const names: string[] = [];
  let [depth, is_name] = [0, true];
  for (let at = open; at < tokens.length && at < open + 200; at++) {
    const token = tokens[at];
    if (isOpening(token)) depth++;
    else if (isClosing(token)) {
      if (--depth === 0) break;
    } else if (token?.text === ',') is_name = true;
    else if (token?.kind === 'name' && is_name && depth === 1) {
      names.push(token.text);
      is_name = false;
    }
  }
  return names;
}

const python: Statement = (walk, at) => {
  const { tokens, names } = walk;
  if (isOpening(tokens[at])) comprehension(walk, at);
  const text = tokens[at]?.kind === 'name' ? tokens[at].text : '';
  if (text === 'import' && tokens[at - 1]?.kind !== 'name') {
    for (let next = at + 1; tokens[next]?.kind === 'name'; next++) {
      let module = tokens[next]?.text ?? '';
      while (tokens[next + 1]?.text === '.') {
        next += 2;
        module += `.${tokens[next]?.text ?? ''}`;
      }
      if (tokens[next + 1]?.text === 'as') {
        next += 2;
        names.alias(tokens[next]?.text ?? '', module);
      }
      if (tokens[next + 1]?.text !== ',') break;
      next++;
    }
  } else if (text === 'from') {
    const { names: path, end } = namesUntil(tokens, at + 1, /^import$|^$/);
    if (tokens[end]?.text !== 'import') return;
    const is_open = tokens[end + 1]?.text === '(';
    const { pairs } = pairsUntil(tokens, end + 1, is_open ? /^\)$/ : /^[;\s]*$/);
    for (const [there, here] of pairs) names.alias(here, [...path, there].join('.'));
  } else if (text === 'def') bindParameters(walk, tokens[at + 1]?.text, parametersAt(tokens, at + 2));
  else if (text === 'for' && walk.open.length === 0) {
    const { names: targets, end } = namesUntil(tokens, at + 1, /^in$/);
    if (tokens[end]?.text === 'in') names.loop(targets, goneThrough(walk, end + 1));
  } else if (text === 'as' && tokens[at + 1]?.kind === 'name')
    names.assign(tokens[at + 1]?.text ?? '', NOBODY_KNOWS, false);
};

const node: Statement = (walk, at) => {
  const { tokens, names } = walk;
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind === 'mark') {
    if (token.text === '=>') arrow(walk, at);
  } else if (token?.text === 'import' && next?.text !== '(') imported(walk, at);
  else if (/^(?:const|let|var)$/.test(token?.text ?? '')) declared(walk, at);
  else if (token?.text === 'function') {
    const open = tokens.findIndex((it, nth) => nth > at && it.text === '(');
    if (open >= 0 && open <= at + 3)
      bindParameters(walk, next?.kind === 'name' ? next.text : undefined, parametersAt(tokens, open));
  } else if (token?.text === 'of' && tokens[at - 1]?.kind !== 'line') {
    const begin = tokens.findLastIndex((it, nth) => nth < at && /^(?:const|let|var)$/.test(it.text));
    const { names: targets } = namesUntil(tokens, begin + 1, /^of$/);
    if (begin >= 0 && at - begin < 20) names.loop(targets, valueAt(walk, at + 1));
  }
};

function imported({ tokens, names }: Walk, at: number): void {
  const from = tokens.findIndex((it, nth) => nth > at && (it.kind === 'text' || it.text === ';'));
  if (from < 0 || tokens[from]?.kind !== 'text') return;
  const module = moduleNamed(tokens[from]);
  const brace = tokens.findIndex((it, nth) => nth > at && nth < from && it.text === '{');
  const until = brace >= 0 ? /^\{$/ : /^from$|^text$/;
  for (const name of namesUntil(tokens, at + 1, until).names)
    if (name !== 'as' && name !== 'type') names.alias(name, module);
  if (brace < 0) return;
  for (const [there, here] of pairsUntil(tokens, brace + 1, /^\}$/).pairs)
    names.alias(here, memberOf(module, there));
}

const memberOf = (module: string, name: string): string =>
  name === 'promises' ? module : `${module}.${name}`;

/** `const {a: b} = require('fs')`, `const fs = require('fs').promises`, `const [a, b] = list`. */
function declared(walk: Walk, at: number): void {
  const { tokens, names } = walk;
  const open = tokens[at + 1];
  const is_pattern = open?.kind === 'mark' && '{['.includes(open.text);
  const { pairs, end } = is_pattern ? pairsUntil(tokens, at + 2, /^[}\]]$/) : { pairs: [], end: at + 1 };
  if (tokens[end + 1]?.text !== '=') return;
  const begin = tokens[end + 2]?.text === 'await' ? end + 3 : end + 2;
  const is_module = /^(?:require|import)$/.test(tokens[begin]?.text ?? '') && tokens[begin + 1]?.text === '(';
  if (is_module) {
    const module = moduleNamed(tokens[begin + 2]);
    if (!is_pattern)
      names.alias(
        open?.text ?? '',
        memberOf(module, tokens[begin + 4]?.text === '.' ? (tokens[begin + 5]?.text ?? '') : 'promises'),
      );
    for (const [there, here] of pairs) names.alias(here, memberOf(module, there));
  } else if (is_pattern && open.text === '[') {
    names.spread(holesOf(tokens, at + 2, end), valueAt(walk, begin));
  } else if (is_pattern) {
    const of = expressionAt(walk, begin).value;
    for (const [there, here] of pairs)
      if (of.is === 'name') names.alias(here, `${names.full(of.name)}.${there}`);
  }
}

/** `[, , file]`: the names with their positions. */
function holesOf(tokens: readonly Token[], start: number, end: number): string[] {
  const names = [''];
  for (const token of tokens.slice(start, end)) {
    if (token.text === ',') names.push('');
    else if (token.kind === 'name') names[names.length - 1] = token.text;
  }
  return names;
}

/** The parameters before `=>`: of a loop over known values, of a function that has a name, or of any other. */
function arrow(walk: Walk, at: number): void {
  const { tokens, loops } = walk;
  const begin = tokens[at - 1]?.text === ')' ? openBefore(tokens, at - 1) : at - 1;
  const parameters = begin === at - 1 ? [tokens[at - 1]?.text ?? ''] : parametersAt(tokens, begin);
  const before = tokens[begin - 1]?.text === 'async' ? begin - 2 : begin - 1;
  const over = loops.get(before);
  if (over !== undefined) {
    const [first] = parameters;
    if (tokens[begin + 1]?.text === '[') walk.names.loop(namesUntil(tokens, begin + 2, /^\]$/).names, over);
    else if (first !== undefined) walk.names.loop([first], over);
    return;
  }
  bindParameters(walk, tokens[before]?.text === '=' ? tokens[before - 1]?.text : undefined, parameters);
}

function openBefore(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0 && at > close - 200; at--) {
    if (tokens[at]?.kind !== 'mark') continue;
    if (tokens[at]?.text === ')') depth++;
    else if (tokens[at]?.text === '(' && --depth === 0) return at;
  }
  return close;
}

const ruby: Statement = (walk, at) => {
  const { tokens, names } = walk;
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind === 'mark' && token.text === '{' && next?.text === '|') block(walk, at + 2);
  if (token?.kind !== 'name') return;
  if (token.text === 'do' && next?.text === '|') block(walk, at + 2);
  else if (token.text === 'def') {
    const has_brackets = tokens[at + 2]?.text === '(';
    bindParameters(walk, next?.text, has_brackets ? parametersAt(tokens, at + 2) : []);
  } else if (token.text === 'for') {
    const { names: targets, end } = namesUntil(tokens, at + 1, /^in$/);
    names.loop(targets, valueAt(walk, end + 1));
  }
};

function block(walk: Walk, start: number): void {
  const { names: parameters } = namesUntil(walk.tokens, start, /^\|$/);
  const over = walk.last_each ?? NOBODY_KNOWS;
  walk.last_each = null;
  walk.names.loop(parameters, over);
}

const perl: Statement = (walk, at) => {
  const { tokens, names } = walk;
  const token = tokens[at];
  if (token?.kind !== 'name') return;
  if (/^(?:for|foreach)$/.test(token.text)) {
    const name = /^(?:my|our)$/.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
    const variable = tokens[name];
    if (variable?.kind !== 'name' || tokens[name + 1]?.text !== '(') return;
    names.loop([variable.text], valueAt(walk, name + 1));
  } else if (/^(?:my|our)$/.test(token.text) && tokens[at + 1]?.text === '(') {
    const end = namesUntil(tokens, at + 2, /^\)$/).end;
    if (tokens[end + 1]?.text !== '=') return;
    names.spread(holesOf(tokens, at + 2, end), valueAt(walk, behindLines(tokens, end + 2)));
  }
};

export const STATEMENTS: Readonly<Record<Language, Statement>> = { python, node, ruby, perl };
