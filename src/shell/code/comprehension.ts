/** Python's loops in brackets: what they go through is said behind what is done with it. */
import { expressionAt } from './expression.ts';
import type { Token } from './tokens.ts';
import { NOBODY_KNOWS, valueOf } from './values.ts';
import { bracketsOf } from './walk-state.ts';
import type { Walk } from './walk-state.ts';

/** Names from `start` on up to the text `until`, at most so many tokens further. */
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

/** The names of `[… for f in files]`, before what stands in front of `for` is read. */
export function comprehension(walk: Walk, open: number): void {
  const { tokens, names, grammar } = walk;
  let depth = 0;
  for (let at = open; at < tokens.length && at < open + 400; at++) {
    const token = tokens[at];
    if (token?.kind === 'mark' && '([{'.includes(token.text)) depth++;
    else if (token?.kind === 'mark' && ')]}'.includes(token.text) && --depth === 0) return;
    if (depth !== 1 || token?.kind !== 'name' || token.text !== 'for') continue;
    const { names: targets, end } = namesUntil(tokens, at + 1, /^in$/);
    if (tokens[end]?.text !== 'in') return;
    const over = expressionAt(tokens, end + 1, grammar);
    // What it leaves out nobody follows; by what names end in is heeded where the disk is asked.
    const files = valueOf(over.value, names);
    const is_heeded = files.glob !== undefined && tokens[over.end + 3]?.text === 'endswith';
    names.comprehend(
      targets,
      tokens[over.end]?.text !== 'if' || is_heeded ? files : NOBODY_KNOWS,
      bracketsOf(walk),
    );
  }
}
