/** Checks the keys that have one value each: the part of the checker that every hook needs, for its environment. */
import type { JsonObject } from '../core/json-object.ts';
import type { KeySpec } from './key-kinds.ts';
import { KEYS, PRESET, type Preset, SETTING_NAMES, type Settings } from './schema.ts';

/** @param pointer JSON pointer of the wrong value */
export type ReportWrong = (pointer: string, reason: string, hint: string) => void;

/** One layer's values for these keys. */
export interface OneValueEach {
  readonly preset: Preset | null;
  readonly settings: Partial<Settings>;
}

/** The keys that have one value each; also for the environment and for flags, which can set no others. */
export function readSettings(fields: JsonObject, report: ReportWrong): OneValueEach {
  const read = <T>(name: string, spec: Pick<KeySpec<T>, 'parse'>): T | undefined => {
    const parsed = fields[name] === undefined ? null : spec.parse(fields[name]);
    if (parsed === null || 'value' in parsed) return parsed?.value;
    report(`/${name}`, `"${name}": ${parsed.wrong.reason}`, parsed.wrong.hint);
    return undefined;
  };
  const values = SETTING_NAMES.map((name) => [name, read<unknown>(name, KEYS[name])] as const);
  const settings = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  return { preset: read('preset', PRESET) ?? null, settings };
}
