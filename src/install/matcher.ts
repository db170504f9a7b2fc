import { attempt } from '../core/attempt.ts';

/** How the client reads a matcher: nothing or `*` is everything, `A|B` exact names, anything else a regular expression. */
export function matcherMatches(matcher: string | null, tool: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true;
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').includes(tool);
  return attempt(() => new RegExp(matcher).test(tool), false);
}
