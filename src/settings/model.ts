/** A settings file as the client reads it: its contents, and whether the client keeps it. Pure. */
import { asObject, type JsonObject } from '../core/json-object.ts';
import { parse } from './parse.ts';
import { hookEntries, isGuardHook } from './hook-entries.ts';
import { groupsFaults, hookFaults, type HookRules, knownEvents, newHookKeys } from './hook-shapes.ts';
import { runsGuard } from './runs-guard.ts';
import { isKnown, isKnownPermission, shapeOf } from './schema.ts';
import { faultsOf, type ShapeFault } from './shape.ts';
import { isBefore } from './version.ts';

export type { JsonObject } from '../core/json-object.ts';

export interface GuardHook {
  readonly event: string;
  /** Empty: matches everything. */
  readonly matcher: string;
  /** The whole entry, with its keys sorted. */
  readonly entry: string;
  /** The client waits for it on every call that the matcher fits, and it runs guard alone. */
  readonly holds: boolean;
}

export interface SettingsModel {
  /** Empty if the text is not a JSON object. */
  readonly value: JsonObject;
  /** Why the client drops the file, hooks included; empty if it keeps the file. */
  readonly faults: readonly ShapeFault[];
  readonly hooks: readonly GuardHook[];
  readonly env: JsonObject;
}

/** guard does not check larger files; the client reads 2 MB and refuses 16 MB (measured). */
export const SETTINGS_MAX_BYTES = 1_048_576;

/** @param version of the client, such as `2.1.330`; `null` if not known: then any supported client's refusal counts */
export function readModel(text: string, version: string | null): SettingsModel {
  const value = parse(text);
  if (value === null) {
    const reason = 'the client ignores a settings file that is not valid JSON, hooks included';
    return { value: {}, faults: [{ at: '', reason }], hooks: [], env: {} };
  }
  return {
    value,
    faults: [...topFaults(value, isFormer(version)), ...hookFaults(value['hooks'], rulesOf(version))],
    hooks: guardHooks(value),
    env: asObject(value['env']),
  };
}

export const isKept = ({ faults }: SettingsModel): boolean => faults.length === 0;

/** A missing file, or an empty one: the client reads both as no settings. */
export const NO_SETTINGS: SettingsModel = { value: {}, faults: [], hooks: [], env: {} };

const topFaults = (value: JsonObject, former: boolean): readonly ShapeFault[] =>
  Object.entries(value).flatMap(([name, one]) => {
    const shape = shapeOf(name, one, former);
    return shape === null ? [] : faultsOf(one, shape, name);
  });

/** If the version is not known, the strictest client's rules apply. */
const isFormer = (version: string | null): boolean => version === null || isBefore(version, '2.1.300');

const rulesOf = (version: string | null): HookRules => ({
  refuses_events: version !== null && isBefore(version, '2.1.101'),
  refuses_everywhere: isFormer(version),
});

const guardHooks = (value: JsonObject): readonly GuardHook[] =>
  hookEntries(value)
    .filter(({ hook }) => isGuardHook(hook))
    .map(({ event, matcher, hook }) => ({
      event,
      matcher: matcher ?? '',
      entry: inOrder(hook),
      holds: holds(hook),
    }));

const holds = (hook: JsonObject): boolean =>
  hook['type'] === 'command' &&
  hook['if'] === undefined &&
  // With arguments, the client starts the command as a program of that name.
  hook['args'] === undefined &&
  hook['async'] !== true &&
  hook['asyncRewake'] !== true &&
  (hook['shell'] === undefined || hook['shell'] === 'bash') &&
  isGivenTime(hook) &&
  runsGuard(textOf(hook['command']));

/** guard answers within its own deadline of 5 s; a hook that is cut off denies nothing before 2.1.300. */
const isGivenTime = ({ timeout }: JsonObject): boolean => typeof timeout !== 'number' || timeout >= LEAST_S;

const LEAST_S = 5;

const inOrder = (hook: JsonObject): string =>
  JSON.stringify(Object.fromEntries(Object.entries(hook).sort(([a], [b]) => (a < b ? -1 : 1))));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What people write in settings as remarks: `$schema`, `_comment`, `//`. */
const REMARK = /^[^A-Za-z]|comment/i;

/** Keys and events that guard's built-in schema does not have: newer than guard, or a typo. */
export function newKeys({ value }: SettingsModel): readonly string[] {
  const top = Object.keys(value).filter((name) => !isKnown(name));
  const permissions = Object.keys(asObject(value['permissions'])).filter((name) => !isKnownPermission(name));
  const all = [...top, ...permissions.map((name) => `permissions.${name}`), ...newHookKeys(value['hooks'])];
  return [...new Set(all)].filter((key) => !REMARK.test(key.split('.').at(-1) ?? ''));
}

/** Hook entries that the client leaves out while it keeps the file. */
export function faultsElsewhere(
  { value, faults }: SettingsModel,
  version: string | null,
): readonly ShapeFault[] {
  if (faults.length > 0 || rulesOf(version).refuses_everywhere) return [];
  return Object.entries(asObject(value['hooks'])).flatMap(([event, groups]) =>
    knownEvents('all').includes(event) ? groupsFaults(groups, `hooks.${event}`) : [],
  );
}
