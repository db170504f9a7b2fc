import { attempt } from '../core/attempt.ts';

/** How the client reads a matcher: empty or `*` matches everything, `A|B` exact names; the rest are regular expressions. */
export function matcherMatches(matcher: string | null, tool: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true;
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').includes(tool);
  return attempt(() => new RegExp(matcher).test(tool), false);
}
