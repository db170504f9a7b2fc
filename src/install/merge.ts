/**
 * Adds guard's entries to settings, and removes them. Pure: text in, text out; only guard's own entries are touched. An
 * entry is recognised by its command line, so a moved path or another preset is an update in place.
 */
import { isDeepStrictEqual } from 'node:util';
import type { HookGroup, HookTable } from './entries.ts';
import { isGuardHook } from '../settings/hook-entries.ts';
import { appendAll, appendTo, removeAt, setAt } from './json-text.ts';
import { type Added, mergeRules, stripRules } from './merge-rules.ts';
import { asList, asObject, type JsonObject } from '../core/json-object.ts';
import { parsedAt, jsonBelow } from './parsed-at.ts';

export interface WantedSettings {
  readonly hooks: HookTable;
  /** Permission rules for `permissions.allow`. */
  readonly rules: readonly string[];
}

export function mergeSettings(text: string, wanted: WantedSettings, added: Added | null): string {
  const unwanted = Object.keys(hooksOf(text)).filter((event) => wanted.hooks[event] === undefined);
  const cleared = stripHooks(text, unwanted, mayRemove(added));
  const here = hooksOf(cleared);
  const entries = Object.entries(wanted.hooks);
  const hooked = entries
    .filter(([event]) => here[event] !== undefined)
    .reduce((so_far, [event, groups]) => mergeEvent(so_far, event, asList(here[event]), groups), cleared);
  const members = entries
    .filter(([event, groups]) => here[event] === undefined && groups.length > 0)
    .map(([name, value]) => ({ name, value }));
  return mergeRules(appendAll(hooked, ['hooks'], members), wanted.rules, added);
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
  const here = hooksOf(text);
  let stripped = text;
  for (const event of events) {
    const without = mergeEvent(stripped, event, asList(here[event]), []);
    const emptied = without !== stripped && groupsOf(without, event).length === 0;
    stripped = emptied && mayGo(`hooks.${event}`) ? removeAt(without, ['hooks', event]) : without;
  }
  const emptied = stripped !== text && Object.keys(hooksOf(stripped)).length === 0;
  return emptied && mayGo('hooks') ? removeAt(stripped, ['hooks']) : stripped;
}

/** Containers that `merged` has and `original` lacks. */
export function newContainers(original: string, merged: string): readonly string[] {
  const [before, after] = [original, merged].map((text): unknown => JSON.parse(text));
  const events = Object.keys(asObject(asObject(after)['hooks'])).map((event) => ['hooks', event]);
  return [['hooks'], ['statusLine'], ...events, ['permissions'], ['permissions', 'allow']]
    .filter((path) => jsonBelow(after, path) !== undefined && jsonBelow(before, path) === undefined)
    .map((path) => path.join('.'));
}

/** @param found the groups of the event in `text` */
function mergeEvent(
  text: string,
  event: string,
  found: readonly unknown[],
  wanted: readonly HookGroup[],
): string {
  let merged = found.reduceRight<string>(
    (so_far, group, at) => (kindOf(group) === 'mixed' ? withoutGuardHooks(so_far, event, at, group) : so_far),
    text,
  );
  const groups = merged === text ? found : groupsOf(merged, event);
  const own = groups.flatMap((group, at) => (kindOf(group) === 'guard' ? [at] : []));
  for (const surplus of own.slice(wanted.length).reverse())
    merged = removeAt(merged, ['hooks', event, surplus]);
  for (const [nth, group] of wanted.entries()) {
    const at = own[nth];
    if (at === undefined) merged = appendTo(merged, ['hooks', event], group);
    else if (!isDeepStrictEqual(groups[at], group)) merged = setAt(merged, ['hooks', event, at], group);
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

function kindOf(group: unknown): 'guard' | 'mixed' | 'foreign' {
  const hooks = hooksIn(group);
  const own = hooks.filter(isGuardHook).length;
  if (own === 0) return 'foreign';
  return own === hooks.length ? 'guard' : 'mixed';
}

const hooksIn = (group: unknown): readonly unknown[] => asList(asObject(group)['hooks']);

const hooksOf = (text: string): JsonObject => asObject(parsedAt(text, ['hooks']));

const groupsOf = (text: string, event: string): readonly unknown[] => asList(hooksOf(text)[event]);
