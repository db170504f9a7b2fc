/**
 * Adds guard's entries to settings, and removes them. Pure: text in, text out; only guard's own entries are touched. An
 * entry is recognised by its command line, so a moved path or another preset is an update in place.
 */
import { isDeepStrictEqual } from 'node:util';
import type { HookGroup, HookTable } from './entries.ts';
import { isGuardHook } from '../settings/hook-entries.ts';
import { isGuardRule } from './permission-rules.ts';
import { appendTo, removeAt, setAt } from './json-text.ts';
import { asList, asObject, isObject, type JsonObject } from '../core/json-object.ts';

export interface WantedSettings {
  readonly hooks: HookTable;
  /** Permission rules for `permissions.allow`. */
  readonly rules: readonly string[];
}

/** What an earlier `guard init` added; if `null`, that is unknown, and guard's rules are recognised by their form. */
export interface Added {
  readonly rules: readonly string[];
  /** Containers that did not exist before: `hooks`, `hooks.PreToolUse`, `permissions`, `permissions.allow`. */
  readonly containers: readonly string[];
}

export function mergeSettings(text: string, wanted: WantedSettings, added: Added | null): string {
  const unwanted = Object.keys(hooksOf(text)).filter((event) => wanted.hooks[event] === undefined);
  const cleared = stripHooks(text, unwanted, mayRemove(added));
  const hooked = Object.entries(wanted.hooks).reduce(
    (so_far, [event, groups]) => mergeEvent(so_far, event, groups),
    cleared,
  );
  return mergeRules(hooked, wanted.rules, added);
}

/** Also removes containers left empty if guard created them (or, if that is unknown, emptied them). */
export function stripSettings(text: string, added: Added | null): string {
  const mayGo = mayRemove(added);
  return stripRules(stripHooks(text, Object.keys(hooksOf(text)), mayGo), added, mayGo);
}

type MayRemove = (container: string) => boolean;

const mayRemove =
  (added: Added | null): MayRemove =>
  (container) =>
    added === null || added.containers.includes(container);

function stripHooks(text: string, events: readonly string[], mayGo: MayRemove): string {
  let stripped = text;
  for (const event of events) {
    const without = mergeEvent(stripped, event, []);
    const emptied = without !== stripped && groupsOf(without, event).length === 0;
    stripped = emptied && mayGo(`hooks.${event}`) ? removeAt(without, ['hooks', event]) : without;
  }
  const emptied = stripped !== text && Object.keys(hooksOf(stripped)).length === 0;
  return emptied && mayGo('hooks') ? removeAt(stripped, ['hooks']) : stripped;
}

/** Containers that `merged` has and `original` lacks. */
export function newContainers(original: string, merged: string): readonly string[] {
  const events = Object.keys(hooksOf(merged)).map((event) => ['hooks', event]);
  return [['hooks'], ['statusLine'], ...events, ['permissions'], ['permissions', 'allow']]
    .filter((path) => valueAt(merged, path) !== undefined && valueAt(original, path) === undefined)
    .map((path) => path.join('.'));
}

export const rulesOf = (text: string): readonly string[] =>
  allowOf(text).filter((rule) => typeof rule === 'string');

function mergeEvent(text: string, event: string, wanted: readonly HookGroup[]): string {
  let merged = groupsOf(text, event).reduceRight<string>(
    (so_far, group, at) => (kindOf(group) === 'mixed' ? withoutGuardHooks(so_far, event, at, group) : so_far),
    text,
  );
  const own = groupsOf(merged, event).flatMap((group, at) => (kindOf(group) === 'guard' ? [at] : []));
  for (const surplus of own.slice(wanted.length).reverse())
    merged = removeAt(merged, ['hooks', event, surplus]);
  for (const [nth, group] of wanted.entries()) {
    const at = own[nth];
    if (at === undefined) merged = appendTo(merged, ['hooks', event], group);
    else if (!isDeepStrictEqual(groupsOf(merged, event)[at], group))
      merged = setAt(merged, ['hooks', event, at], group);
  }
  return merged;
}

/** A person put other hooks into guard's group: those stay, and guard's move to a separate group. */
function withoutGuardHooks(text: string, event: string, at: number, group: unknown): string {
  return hooksIn(group).reduceRight<string>(
    (so_far, hook, nth) =>
      isGuardHook(hook) ? removeAt(so_far, ['hooks', event, at, 'hooks', nth]) : so_far,
    text,
  );
}

function mergeRules(text: string, wanted: readonly string[], added: Added | null): string {
  const isStale = (rule: string) => !wanted.includes(rule) && isOwnRule(rule, added);
  let merged = text;
  for (const rule of wanted) {
    const allow = allowOf(merged);
    if (allow.includes(rule)) continue;
    const stale = allow.findIndex((other) => typeof other === 'string' && isStale(other));
    merged =
      stale < 0
        ? appendTo(merged, ['permissions', 'allow'], rule)
        : setAt(merged, ['permissions', 'allow', stale], rule);
  }
  return withoutRules(merged, isStale);
}

function stripRules(text: string, added: Added | null, mayGo: MayRemove): string {
  let stripped = withoutRules(text, (rule) => isOwnRule(rule, added));
  if (stripped === text) return text;
  if (allowOf(stripped).length === 0 && mayGo('permissions.allow')) {
    stripped = removeAt(stripped, ['permissions', 'allow']);
  }
  const permissions = valueAt(stripped, ['permissions']);
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

function kindOf(group: unknown): 'guard' | 'mixed' | 'foreign' {
  const hooks = hooksIn(group);
  const own = hooks.filter(isGuardHook).length;
  if (own === 0) return 'foreign';
  return own === hooks.length ? 'guard' : 'mixed';
}

const hooksIn = (group: unknown): readonly unknown[] => asList(asObject(group)['hooks']);

const hooksOf = (text: string): JsonObject => asObject(valueAt(text, ['hooks']));

const groupsOf = (text: string, event: string): readonly unknown[] => asList(hooksOf(text)[event]);

const allowOf = (text: string): readonly unknown[] => asList(valueAt(text, ['permissions', 'allow']));

function valueAt(text: string, path: readonly string[]): unknown {
  let value: unknown = JSON.parse(text);
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}
