/** Options that are fields of an operation, a row each: as it is typed, what it is for, and how it is read. */
import type { Declaring } from './declaring.ts';
import type { AsTyped } from './typed.ts';

interface HowRead {
  readonly is_required?: true;
  /** May be given several times. */
  readonly is_list?: true;
  /** It is typed as a duration, and the operation takes this unit. */
  readonly unit_ms?: number;
  /** From what was typed, or from undefined. */
  readonly read?: (typed: unknown) => unknown;
}

/** By the name of the field. */
export type OptionFields = Readonly<Record<string, readonly [typed: string, about: string, how?: HowRead]>>;

export interface DeclaredOptions extends Required<AsTyped> {
  /** Values by field; what was not typed is undefined. */
  readonly given: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

export function declareOptions(command: Declaring, rows: OptionFields): DeclaredOptions {
  const declared = Object.entries(rows).map(([field, [typed, about, how = {}]]) => {
    if (how.is_list === true) command.option(typed, about, collect);
    else if (how.is_required === true) command.requiredOption(typed, about);
    else command.option(typed, about);
    const [flag = field] = /--[a-z-]+/.exec(typed) ?? [];
    return { ...how, field, flag, key: optionName(flag) };
  });
  return {
    flags: Object.fromEntries(declared.map(({ field, flag }) => [field, flag])),
    units_ms: Object.fromEntries(
      declared.flatMap(({ field, unit_ms }) => (unit_ms === undefined ? [] : [[field, unit_ms]])),
    ),
    given: (options) =>
      Object.fromEntries(
        declared.map(({ field, key, read = (typed) => typed }) => [field, read(options[key])]),
      ),
  };
}

/** Of `--dry-run` the name that readers of options give it: `dryRun`. */
export const optionName = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Of an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];
