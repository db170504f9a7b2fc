/** Merges layers: which value applies, and which values were ignored because they would have weakened it. */
import type { OneValueEach } from './read-settings.ts';
import { KEYS, PRESETS, type Preset, SETTING_NAMES, type Settings } from './schema.ts';

/** A value that was ignored. Shown by `guard doctor`. */
export interface ConfigWarning {
  readonly key: string;
  readonly wanted: string | number;
  readonly kept: string | number;
  /** The file, `environment`, or `flags`. */
  readonly source: string;
  readonly line: number | null;
  readonly reason: string;
  readonly hint: string;
}

export interface Merged {
  readonly preset: Preset;
  readonly settings: Settings;
  readonly warnings: readonly ConfigWarning[];
}

export interface LayerRights {
  readonly source: string;
  /** Keys that this layer may also weaken. */
  readonly free: ReadonlySet<keyof Settings>;
  /** The key that this layer may set only if it is free. */
  readonly fixed?: keyof Settings;
  readonly lineOf: (key: string) => number | null;
  readonly hint: string;
}

type Open = { -readonly [K in keyof Settings]: Settings[K] };

export function addLayer(below: Merged, layer: OneValueEach, rights: LayerRights): Merged {
  const preset = layer.preset === null ? {} : PRESETS[layer.preset];
  const wanted: Partial<Settings> = { ...preset, ...layer.settings };
  const settings: Open = { ...below.settings };
  const warnings = [...below.warnings];
  const refused = new Set<keyof Settings>();
  // The parameter ties the value to its key.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  const add = <K extends keyof Settings>(name: K): void => {
    const value: Settings[K] | undefined = wanted[name];
    if (value === undefined) return;
    const kept: Settings[K] = settings[name];
    const isRefused = name === rights.fixed ? value !== kept : KEYS[name].isWeaker(value, kept);
    if (!isRefused || rights.free.has(name)) {
      settings[name] = value;
      return;
    }
    refused.add(name);
    const key = layer.settings[name] === undefined ? 'preset' : name;
    warnings.push({
      key: name,
      wanted: KEYS[name].show(value),
      kept: KEYS[name].show(kept),
      source: rights.source,
      line: rights.lineOf(key),
      reason: 'it would weaken what is in force',
      hint: rights.hint,
    });
  };
  SETTING_NAMES.forEach(add);
  const taken = layer.preset !== null && ![...refused].some((name) => layer.settings[name] === undefined);
  return { preset: taken ? layer.preset : below.preset, settings, warnings };
}
