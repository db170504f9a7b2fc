/** The files on disk that match a pattern. */
import type { Look } from './call.ts';
import { type Budget, LIMITS, spend } from './limits.ts';
import { isWild, matches, mayBeWild, type PatternToken, type Piece, tokensOf } from './pattern.ts';

export interface Globbing {
  readonly look: Look;
  readonly cwd: string | null;
  readonly options: ReadonlySet<string>;
  readonly budget: Budget;
}

/** Null if it is not a pattern; 'directory' if it is relative to an unknown directory. */
export function globbedFiles(
  pieces: readonly Piece[],
  where: Globbing,
): readonly string[] | 'directory' | 'limit' | null {
  if (!pieces.some(mayBeWild)) return null;
  const tokens = tokensOf(pieces);
  if (!isWild(tokens)) return null;
  if (tokens.length > LIMITS.pattern_chars) return 'limit';
  const segments = segmentsOf(tokens);
  const is_absolute = segments[0]?.length === 0;
  if (!is_absolute && where.cwd === null) return 'directory';
  const base = is_absolute ? '' : `${where.cwd ?? ''}/`;
  let found: readonly string[] = [''];
  for (const [nth, segment] of segments.entries()) {
    const is_last = nth === segments.length - 1;
    const next = found.flatMap((from) => stepped(from, segment, { ...where, base, is_last }));
    if (next.length > LIMITS.names || where.budget.effort < 0) return 'limit';
    found = next;
  }
  return [...new Set(found)].filter((name) => name !== '').sort();
}

function segmentsOf(tokens: readonly PatternToken[]): PatternToken[][] {
  const segments: PatternToken[][] = [[]];
  for (const token of tokens) {
    if ('char' in token && token.char === '/') segments.push([]);
    else segments.at(-1)?.push(token);
  }
  return segments;
}

interface Step extends Globbing {
  readonly base: string;
  readonly is_last: boolean;
}

/** `from` ends in a slash, or is ''. */
function stepped(from: string, segment: readonly PatternToken[], step: Step): readonly string[] {
  const { look, base, is_last, options, budget } = step;
  const end = is_last ? '' : '/';
  if (segment.length === 0) return [is_last ? from : from.endsWith('/') ? from : `${from}/`];
  if (isAllBelow(segment) && options.has('globstar')) return below(from, step);
  if (!isWild(segment)) {
    const name = from + segment.map((token) => ('char' in token ? token.char : '')).join('');
    return !is_last || look.kind(base + name) !== null ? [name + end] : [];
  }
  const names = look.list(base + from === '' ? '/' : base + from);
  if (!spend(budget, (names.length + 1) * (segment.length + 8))) return [];
  const fits = names.filter((name) => isMatch(segment, name, options));
  const found = is_last ? fits : fits.filter((name) => look.kind(base + from + name) === 'directory');
  return found.map((name) => from + name + end);
}

const isMatch = (segment: readonly PatternToken[], name: string, options: ReadonlySet<string>): boolean =>
  (!name.startsWith('.') || isDot(segment[0]) || options.has('dotglob')) &&
  matches(segment, Array.from(name));

const isDot = (token: PatternToken | undefined): boolean =>
  token !== undefined && 'char' in token && token.char === '.';

const isAllBelow = (segment: readonly PatternToken[]): boolean =>
  segment.length === 2 && segment.every((token) => 'any' in token && token.any === 'many');

/** The directory itself and all directories below it; if `**` is the end, their files, too. */
function below(from: string, step: Step): readonly string[] {
  const { look, base, is_last, options } = step;
  const found: string[] = [from];
  const files: string[] = [];
  for (let at = 0; at < found.length && found.length + files.length <= LIMITS.names; at++) {
    const dir = found[at] ?? '';
    for (const name of look.list(base + dir === '' ? '/' : base + dir)) {
      if (name.startsWith('.') && !options.has('dotglob')) continue;
      if (look.kind(base + dir + name) === 'directory') found.push(`${dir}${name}/`);
      else files.push(dir + name);
    }
  }
  return is_last ? [...found, ...files] : found;
}
