/** Shell patterns: `*`, `?`, `[a-z]`. Matching is not recursive, so no pattern takes long. */

/** Text of which only the unquoted parts can be a pattern. */
export interface Piece {
  readonly text: string;
  readonly is_quoted: boolean;
}

interface CharSet {
  readonly ranges: readonly (readonly [string, string])[];
  readonly is_negated: boolean;
}

export type PatternToken =
  { readonly char: string } | { readonly any: 'one' | 'many' } | { readonly set: CharSet };

/** False if it cannot be a pattern, so it need not be parsed. */
export const mayBeWild = ({ text, is_quoted }: Piece): boolean =>
  !is_quoted && (text.includes('*') || text.includes('?') || text.includes('['));

export const isWild = (tokens: readonly PatternToken[]): boolean =>
  tokens.some((token) => !('char' in token));

export function tokensOf(pieces: readonly Piece[]): readonly PatternToken[] {
  return pieces.flatMap(({ text, is_quoted }) => (is_quoted ? Array.from(text, literal) : unquoted(text)));
}

const literal = (char: string): PatternToken => ({ char });

function unquoted(text: string): PatternToken[] {
  const chars = Array.from(text);
  const tokens: PatternToken[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const end = char === '[' ? endOfSet(chars, at) : at;
    if (end > at) tokens.push({ set: setOf(chars.slice(at + 1, end)) });
    else tokens.push(char === '*' ? { any: 'many' } : char === '?' ? { any: 'one' } : literal(char));
    at = end;
  }
  return tokens;
}

/** The position of the `]`, or of the `[` if there is none. */
function endOfSet(chars: readonly string[], at: number): number {
  let from = at + 1;
  if (chars[from] === '!' || chars[from] === '^') from++;
  if (chars[from] === ']') from++;
  const end = chars.indexOf(']', from);
  return end < 0 || chars.slice(at, end).includes('/') ? at : end;
}

function setOf(chars: readonly string[]): CharSet {
  const is_negated = chars[0] === '!' || chars[0] === '^';
  const body = is_negated ? chars.slice(1) : chars;
  const ranges: [string, string][] = [];
  for (let at = 0; at < body.length; at++) {
    const [from = '', dash, to] = body.slice(at, at + 3);
    const isRange = dash === '-' && to !== undefined;
    ranges.push(isRange ? [from, to] : [from, from]);
    if (isRange) at += 2;
  }
  return { ranges, is_negated };
}

function meets(token: PatternToken, char: string): boolean {
  if ('char' in token) return token.char === char;
  if ('any' in token) return true;
  const { ranges, is_negated } = token.set;
  return ranges.some(([from, to]) => from <= char && char <= to) !== is_negated;
}

const isMany = (token: PatternToken | undefined): boolean =>
  token !== undefined && 'any' in token && token.any === 'many';

/** Matches the whole text; `*` also matches slashes. */
export function matches(tokens: readonly PatternToken[], text: readonly string[]): boolean {
  let [at, from] = [0, 0];
  let retry: readonly [number, number] | null = null;
  while (from < text.length) {
    const token = tokens[at];
    if (isMany(token)) {
      retry = [at, from];
      at++;
    } else if (token !== undefined && meets(token, text[from] ?? '')) {
      at++;
      from++;
    } else if (retry !== null) {
      // Let the preceding star take one more character.
      [at, from] = [retry[0] + 1, retry[1] + 1];
      retry = [retry[0], retry[1] + 1];
    } else return false;
  }
  while (isMany(tokens[at])) at++;
  return at === tokens.length;
}
