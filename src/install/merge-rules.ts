/** Adds guard's permission rules to settings, and removes them. Pure: text in, text out. */
import { asList, isObject } from '../core/json-object.ts';
import { appendAll, removeAt, setAt } from './json-text.ts';
import { isGuardRule } from './permission-rules.ts';
import { parsedAt } from './parsed-at.ts';

/** What an earlier `guard init` added; if `null`, that is unknown, and guard's rules are recognised by their form. */
export interface Added {
  readonly rules: readonly string[];
  /** Containers that did not exist before: `hooks`, `hooks.PreToolUse`, `permissions`, `permissions.allow`. */
  readonly containers: readonly string[];
}

export const rulesOf = (text: string): readonly string[] =>
  allowOf(text).filter((rule) => typeof rule === 'string');

/** A missing rule takes the place of a stale one, if there is one. */
export function mergeRules(text: string, wanted: readonly string[], added: Added | null): string {
  const isStale = (rule: unknown) =>
    typeof rule === 'string' && !wanted.includes(rule) && isOwnRule(rule, added);
  const allow = allowOf(text);
  const stale = allow.flatMap((rule, at) => (isStale(rule) ? [at] : []));
  const missing = [...new Set(wanted)].filter((rule) => !allow.includes(rule));
  const replaced = stale
    .slice(0, missing.length)
    .reduce((so_far, at, nth) => setAt(so_far, ['permissions', 'allow', at], missing[nth]), text);
  const members = missing.slice(stale.length).map((value) => ({ name: null, value }));
  return withoutRules(appendAll(replaced, ['permissions', 'allow'], members), isStale);
}

export function stripRules(text: string, added: Added | null, mayGo: (container: string) => boolean): string {
  let stripped = withoutRules(text, (rule) => isOwnRule(rule, added));
  if (stripped === text) return text;
  if (allowOf(stripped).length === 0 && mayGo('permissions.allow')) {
    stripped = removeAt(stripped, ['permissions', 'allow']);
  }
  const permissions = parsedAt(stripped, ['permissions']);
  const isEmpty = isObject(permissions) && Object.keys(permissions).length === 0;
  return isEmpty && mayGo('permissions') ? removeAt(stripped, ['permissions']) : stripped;
}

function withoutRules(text: string, isGone: (rule: string) => boolean): string {
  return allowOf(text).reduceRight<string>(
    (so_far, rule, at) =>
      typeof rule === 'string' && isGone(rule) ? removeAt(so_far, ['permissions', 'allow', at]) : so_far,
    text,
  );
}

const isOwnRule = (rule: string, added: Added | null): boolean =>
  added === null ? isGuardRule(rule) : added.rules.includes(rule);

const allowOf = (text: string): readonly unknown[] => asList(parsedAt(text, ['permissions', 'allow']));
