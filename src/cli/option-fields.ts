/** Options that are fields of an operation, a row each: as it is typed, what it is for, and how it is read. */
import type { Declaring } from './declaring.ts';
import type { AsTyped } from './typed.ts';

interface HowRead {
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

/** @param isRequired whether the operation refuses without this field; help says so, and nothing here checks it */
export function declareOptions(
  command: Declaring,
  rows: OptionFields,
  isRequired: (field: string) => boolean,
): DeclaredOptions {
  const declared = Object.entries(rows).map(([field, [typed, about, how = {}]]) => {
    const words = isRequired(field) && typed.includes('<') ? `${about} (required)` : about;
    if (how.is_list === true) command.option(typed, words, collect);
    else command.option(typed, words);
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
