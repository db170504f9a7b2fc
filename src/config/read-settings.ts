/** The keys with one value each, checked. What every hook needs of the checker: the environment has them, too. */
import type { JsonObject } from '../core/json-object.ts';
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
  const settings: { -readonly [K in keyof Settings]?: Settings[K] } = {};
  // The parameter ties the value to its key.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  const read = <K extends keyof Settings>(name: K): void => {
    if (fields[name] === undefined) return;
    const parsed = KEYS[name].parse(fields[name]);
    if ('wrong' in parsed) report(`/${name}`, `"${name}": ${parsed.wrong.reason}`, parsed.wrong.hint);
    else settings[name] = parsed.value;
  };
  SETTING_NAMES.forEach(read);
  const preset = fields['preset'] === undefined ? null : PRESET.parse(fields['preset']);
  if (preset !== null && 'wrong' in preset)
    report('/preset', `"preset": ${preset.wrong.reason}`, preset.wrong.hint);
  return { preset: preset !== null && 'value' in preset ? preset.value : null, settings };
}
