/** Python's loops in brackets, which name what they iterate over after the expression that uses it. */
import { expressionAt } from './expression.ts';
import { isClosing, isOpening } from './tokens.ts';
import type { Token } from './token.ts';
import { eachOf, listed, NOBODY_KNOWS, type Value } from './value.ts';
import { valueOf } from './values.ts';
import { bracketsOf, type Walk } from './walk-state.ts';

/** The value of the expression at `start`. */
export const valueAt = (walk: Walk, start: number): Value =>
  valueOf(expressionAt(walk, start).value, walk.names);

/** Names from `start` up to the text `until`, within a limited number of tokens. */
export function namesUntil(
  tokens: readonly Token[],
  start: number,
  until: RegExp,
): { names: string[]; end: number } {
  const names: string[] = [];
  for (let at = start; at < tokens.length && at < start + 80; at++) {
    const token = tokens[at];
    if (token === undefined || until.test(token.text) || (token.kind === 'text' && until.test('text')))
      return { names, end: at };
    if (token.kind === 'name') names.push(token.text);
  }
  return { names, end: tokens.length };
}

/** Binds the names of `[… for f in files]` before the expression in front of `for` is read. */
export function comprehension(walk: Walk, open: number): void {
  bindLoops(walk, open, bracketsOf(walk));
}

/** Returns the position after the closing bracket; null if it contains no loop. */
function bindLoops(walk: Walk, open: number, level: number): number | null {
  const { tokens, names } = walk;
  let [depth, is_loop] = [0, false];
  for (let at = open; at < tokens.length && at < open + 400; at++) {
    const token = tokens[at];
    if (isOpening(token)) depth++;
    else if (isClosing(token) && --depth === 0) return is_loop ? at + 1 : null;
    if (depth !== 1 || token?.kind !== 'name' || token.text !== 'for') continue;
    const { names: targets, end } = namesUntil(tokens, at + 1, /^in$/);
    if (tokens[end]?.text !== 'in') return null;
    const over = expressionAt(walk, end + 1);
    names.comprehend(targets, chosen(valueOf(over.value, names), tokens, over.end), level);
    is_loop = true;
  }
  return null;
}

/** Conditions that keep every file, or choose by the ends of names, which is applied when the disk is read. */
const HEEDED = /^(?:\w+\.is_file\(\)|os\.path\.isfile\(\w+\)|(\w+)\.(?:endswith\(\(?[',]+\)?\)|suffix=='))$/;

/** The files that a loop's condition selects; unknown if it checks more than the ends of names. */
function chosen(files: Value, tokens: readonly Token[], at: number): Value {
  if (tokens[at]?.text !== 'if') return files;
  const { glob } = files;
  if (glob === undefined) return NOBODY_KNOWS;
  const said = conditionAt(tokens, at + 1);
  const target = tokens.findLast(
    ({ text }, nth) => nth < at && tokens[nth + 1]?.text === 'in' && text !== ')',
  );
  const is_heeded = said.split(' and ').every((one) => {
    const [all, name = target?.text] = HEEDED.exec(one) ?? [];
    return all !== undefined && name === target?.text;
  });
  return is_heeded ? files : { ...files, texts: [null] };
}

/** The condition's tokens, without the content of texts. */
function conditionAt(tokens: readonly Token[], start: number): string {
  let [said, depth] = ['', 0];
  for (const token of tokens.slice(start, start + 80)) {
    const { kind, text } = token;
    if (isOpening(token)) depth++;
    else if (isClosing(token) && --depth < 0) break;
    said +=
      kind === 'text' ? "'" : kind === 'name' && /^(?:and|or|in|not|for|if)$/.test(text) ? ` ${text} ` : text;
  }
  return said;
}

/** Functions that return their argument's items, in some order. */
const SAME = /^(?:sorted|list|tuple|set|frozenset|reversed|iter|enumerate)$/;
const BEHIND = /^(?:[)\]}:;]|)$/;
/** Deeper than any bracket. */
const FOR_NOW = 1_000_000;

/** The value of `sorted(p for p in files)` as a whole expression, for each item; null if it is another expression. */
export function eachIn(walk: Walk, start: number): Value | null {
  const { tokens, names } = walk;
  let [at, is_numbered] = [start, false];
  for (; at < start + 12; at++) {
    const token = tokens[at];
    if (token?.kind === 'name' && SAME.test(token.text) && tokens[at + 1]?.text === '(') {
      is_numbered ||= token.text === 'enumerate';
      continue;
    }
    if (!isOpening(token)) return null;
    const end = bindLoops(walk, at, FOR_NOW);
    const each = end === null ? null : valueAt(walk, at + 1);
    names.leave(FOR_NOW);
    if (end === null || each === null) continue;
    if (!isAlone(tokens, end)) return null;
    const all = each.items === undefined ? each : listed([each]);
    return is_numbered ? listed(eachOf(all).map((one) => listed([NOBODY_KNOWS, one]))) : all;
  }
  return null;
}

/** What a `for` in front of a body iterates over. */
export const goneThrough = (walk: Walk, start: number): Value => eachIn(walk, start) ?? valueAt(walk, start);

function isAlone(tokens: readonly Token[], end: number): boolean {
  const [next, after] = [tokens[end], tokens[end + 1]];
  if (next?.text === ',')
    return after?.kind === 'number' || /^(?:key|reverse|start)$/.test(after?.text ?? '');
  return next === undefined || next.kind === 'line' || BEHIND.test(next.text);
}
