/**
 * The one check of settings for the write hook, ConfigChange, doctor and init. It looks for what a change makes worse:
 * a file that a person broke may be edited, as long as the edit does not break it further. Pure.
 */
import { asObject } from '../core/json-object.ts';
import { CLAUDE_WRITERS } from '../claude/tools.ts';
import { matcherMatches } from '../install/matcher.ts';
import { telling } from './environment.ts';
import { isKept, NO_SETTINGS, readModel } from './model.ts';
import type { GuardHook, JsonObject, SettingsModel } from './model.ts';
import type { ShapeFault } from './shape.ts';

/**
 * Why an agent's change unhooks or disables guard; `null` if it does not.
 * @param before `null` for a new file
 * @param version version of the running client; `null` if not known
 */
export function whyUnhooked(before: string | null, after: string, version: string | null): string | null {
  const then = before === null ? NO_SETTINGS : readModel(before, version);
  const now = readModel(after, version);
  const fault = newFault(then, now);
  if (fault !== undefined) return whyDropped(fault);
  if (now.value['disableAllHooks'] === true && then.value['disableAllHooks'] !== true) return DISABLED;
  const env = changedEnv(then.env, now.env);
  if (env !== null) return env;
  const gone = then.hooks.find((hook) => !now.hooks.some((one) => isSame(one, hook)));
  if (gone !== undefined) return `this would remove guard's hook for ${gone.event}.`;
  return losesPlugin(then, now) ? "this would disable guard's plugin." : null;
}

const DISABLED = 'disableAllHooks switches guard off.';

/** Phrased as the reason of a denial. */
const whyDropped = ({ at, reason }: ShapeFault): string =>
  at === '' ? `${reason}.` : `the client would ignore the file, hooks included, because of ${at}: ${reason}.`;

/** A fault that is new, regardless of its position in a list. */
function newFault(then: SettingsModel, now: SettingsModel): ShapeFault | undefined {
  const known = new Set(then.faults.map(keyOf));
  return now.faults.find((fault) => !known.has(keyOf(fault)));
}

const keyOf = ({ at, reason }: ShapeFault): string => `${at.replace(/\[\d+\]/g, '[]')} ${reason}`;

const isSame = (a: GuardHook, b: GuardHook): boolean =>
  a.event === b.event && a.matcher === b.matcher && a.entry === b.entry;

function changedEnv(then: JsonObject, now: JsonObject): string | null {
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    if (then[name] === now[name]) continue;
    const found = telling(name, now[name]);
    // Removing such a variable restores the normal state.
    const is_gone = found?.unguards === true && now[name] === undefined;
    if (found !== null && !is_gone) return `env.${name} would reach guard's own processes: ${found.why}.`;
  }
  return null;
}

/** Set to off, or no longer set to on: nothing else in this file enables it. */
function losesPlugin(then: SettingsModel, now: SettingsModel): boolean {
  const was = guardPlugins(then);
  const is = guardPlugins(now);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].some(
    (id) => is[id] !== was[id] && (is[id] === false || was[id] === true),
  );
}

/** `guard@<marketplace>`: enabled or not, according to this file. A list of versions also enables it. */
function guardPlugins({ value }: SettingsModel): Readonly<Record<string, boolean>> {
  const plugins = value['enabledPlugins'];
  const said = Object.entries(asObject(plugins));
  const guards = said.filter(([id]) => /^guard(?:@|$)/.test(id));
  return Object.fromEntries(guards.map(([id, on]) => [id, on === true || Array.isArray(on)]));
}

/** The last file that mentions a plugin wins; one of two marketplaces may be a leftover. */
function isPluginOff(kept: readonly SettingsModel[]): boolean {
  const said = Object.values(
    kept.reduce<Readonly<Record<string, boolean>>>((all, file) => ({ ...all, ...guardPlugins(file) }), {}),
  );
  return said.length > 0 && !said.includes(true);
}

/** All files of the client, as the client combines them. */
export interface Survey {
  /** Weakest first: the user's, the project's, the local one. */
  readonly files: readonly SettingsModel[];
  /** The present environment of hooks. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** guard is also hooked by a plugin. */
  readonly by_plugin: boolean;
}

/**
 * Why no write would be guarded with these files; `null` while guard is hooked. A file that the client drops counts as
 * missing; the other files still count.
 */
export const whyUnguarded = (survey: Survey): string | null => whyOff(survey) ?? whyNotHooked(survey);

/** Hooks are switched off, or other programs would run in their place. */
export function whyOff({ files, env }: Survey): string | null {
  const kept = files.filter(isKept);
  // The last file that sets it wins (measured).
  const said = kept.map(({ value }) => value['disableAllHooks']).findLast((one) => one !== undefined);
  if (said === true) return DISABLED;
  const merged = kept.reduce<JsonObject>((all, file) => ({ ...all, ...file.env }), {});
  for (const [name, value] of Object.entries(merged)) {
    const found = env[name] === String(value) ? null : telling(name, value);
    if (found?.unguards === true) return `env.${name} would reach guard's own processes: ${found.why}.`;
  }
  return null;
}

export function whyNotHooked({ files, by_plugin }: Survey): string | null {
  const kept = files.filter(isKept);
  if (by_plugin && !isPluginOff(kept)) return null;
  if (guardsWrites(kept)) return null;
  const dropped = files.find((file) => !isKept(file) && guardsWrites([file]));
  const fault = dropped?.faults[0];
  return fault === undefined ? "no settings file would contain guard's hooks any more." : whyDropped(fault);
}

/** True if guard is called before the tools that every Claude Code writes with. */
function guardsWrites(files: readonly SettingsModel[]): boolean {
  const before = files
    .flatMap(({ hooks }) => hooks)
    .filter(({ event, holds }) => event === 'PreToolUse' && holds);
  return CLAUDE_WRITERS.every((tool) => before.some(({ matcher }) => matcherMatches(matcher, tool)));
}
