/** Parses a glob's text into its alternatives, within limits that keep the hardest comparison of two globs short. */
import { GuardError } from '../error.ts';
import { endOfSet, expandGlobBraces } from './braces.ts';
import { ANY, complement, setOf, single } from './pattern.ts';
import type { CharSet, Glob, GlobToken, Segment } from './pattern.ts';

/** Two of the hardest patterns within these limits are compared in under 50 ms (test/core/glob/limits.test.ts). */
export const GLOB_LIMITS = { chars: 512, alternatives: 64, expanded_chars: 2_048 } as const;

/** @throws GuardError GUARD_ERR_GLOB for a pattern that matches no path, or that is too large */
export function parseGlob(text: string): Glob {
  if (text.includes('\0')) throw refused(text, 'it contains a NUL character');
  // JSON can contain half of a surrogate pair; a file name cannot.
  if (!text.isWellFormed()) throw refused(text, 'it contains half of a surrogate pair');
  if (text.length > GLOB_LIMITS.chars)
    throw refused(text, `it is longer than ${GLOB_LIMITS.chars} characters`);
  const expanded = expandGlobBraces(text, GLOB_LIMITS.alternatives, GLOB_LIMITS.expanded_chars);
  if (expanded === null)
    throw refused(text, `its braces stand for more than ${GLOB_LIMITS.alternatives} patterns`);
  const alternatives = expanded.map((one) => segmentsOf(text, one)).filter((one) => one.length > 0);
  if (alternatives.length === 0) throw refused(text, 'it is empty');
  return { text, alternatives };
}

function refused(text: string, reason: string): GuardError {
  return new GuardError(
    'GUARD_ERR_GLOB',
    `${JSON.stringify(text.slice(0, 80))} cannot be used as a pattern: ${reason}.`,
    'Use *, **, ?, [a-z] and {a,b}, relative to the root of the repository, as in src/**/*.ts.',
    { pattern: text.slice(0, 200), reason },
  );
}

/** A pattern that ends in `/` covers everything below. */
function segmentsOf(text: string, one: string): Segment[] {
  const names = splitNames(one.endsWith('/') ? `${one}**` : one).filter(
    (name) => name !== '' && name !== '.',
  );
  if (names.includes('..')) throw refused(text, 'it contains ".."');
  const segments = names.map((name) => (/^\*{2,}$/.test(name) ? '**' : tokensOf(text, name)));
  // "**/**" means the same as "**".
  return segments.filter((segment, at) => segment !== '**' || segments[at - 1] !== '**');
}

function splitNames(one: string): string[] {
  const names: string[] = [];
  let from = 0;
  for (let at = 0; at < one.length; at++) {
    if (one.charAt(at) === '\\') at++;
    else if (one.charAt(at) === '[') at = endOfSet(one, at);
    else if (one.charAt(at) === '/') {
      names.push(one.slice(from, at));
      from = at + 1;
    }
  }
  return [...names, one.slice(from)];
}

function tokensOf(text: string, name: string): GlobToken[] {
  const tokens: GlobToken[] = [];
  for (let at = 0; at < name.length;) {
    const [token, next] = tokenAt(text, name, at);
    if (token !== '*' || tokens.at(-1) !== '*') tokens.push(token);
    at = next;
  }
  return tokens;
}

function tokenAt(text: string, name: string, at: number): readonly [GlobToken, number] {
  const char = charAt(name, at);
  if (char === '*') return ['*', at + 1];
  if (char === '?') return [ANY, at + 1];
  if (char === '\\' && at + 1 < name.length) {
    const escaped = charAt(name, at + 1);
    return [single(escaped), at + 1 + escaped.length];
  }
  const end = char === '[' ? endOfSet(name, at) : at;
  if (end > at) return [charSet(text, name.slice(at + 1, end)), end + 1];
  return [single(char), at + char.length];
}

const charAt = (name: string, at: number): string => String.fromCodePoint(name.codePointAt(at) ?? 0);

/** `a-z`, `!a-z`; a `-` at either end is literal. */
function charSet(text: string, body: string): CharSet {
  const negated = body.startsWith('!') || body.startsWith('^');
  const chars = unescaped(negated ? body.slice(1) : body);
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < chars.length; at++) {
    const from = chars[at]?.code ?? 0;
    const dash = chars[at + 1];
    const to = dash?.code === DASH && !dash.is_escaped ? chars[at + 2] : undefined;
    if (to === undefined) ranges.push([from, from]);
    else if (to.code < from) throw refused(text, 'a range in [] goes backwards');
    else {
      ranges.push([from, to.code]);
      at += 2;
    }
  }
  const set = negated ? complement(setOf(ranges)) : setOf(ranges);
  if (set.length === 0) throw refused(text, 'a set in [] has no characters');
  return set;
}

const DASH = 0x2d;

interface Char {
  readonly code: number;
  readonly is_escaped: boolean;
}

function unescaped(body: string): Char[] {
  const chars: Char[] = [];
  const points = Array.from(body);
  for (let at = 0; at < points.length; at++) {
    const is_escaped = points[at] === '\\' && at + 1 < points.length;
    if (is_escaped) at++;
    chars.push({ code: points[at]?.codePointAt(0) ?? 0, is_escaped });
  }
  return chars;
}
