/** The keys with one value each, checked. What every hook needs of the checker: the environment has them, too. */
import type { JsonObject } from '../core/json-object.ts';
import type { KeySpec } from './key-kinds.ts';
import { KEYS, PRESET, type Preset, SETTING_NAMES, type Settings } from './schema.ts';

/** @param pointer JSON pointer of what is wrong */
export type ReportWrong = (pointer: string, reason: string, hint: string) => void;

/** What one layer says of them. */
export interface OneValueEach {
  readonly preset: Preset | null;
  readonly settings: Partial<Settings>;
}

/** The keys with one value each; also for the environment and for flags, which have no others. */
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
