/** Options that are fields of an operation, one row each: how it is typed, what it is for, and how it is read. */
import type { Declaring } from './declaring.ts';
import type { AsTyped } from './typed.ts';

interface HowRead {
  /** May be given several times. */
  readonly is_list?: true;
  /** Typed as a duration, which the operation takes in this unit. */
  readonly unit_ms?: number;
  /** Converts what was typed, or `undefined`. */
  readonly read?: (typed: unknown) => unknown;
}

/** By the name of the field. */
export type OptionFields = Readonly<Record<string, readonly [typed: string, about: string, how?: HowRead]>>;

export interface DeclaredOptions extends Required<AsTyped> {
  /** Values by field; `undefined` for those not typed. */
  readonly given: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** @param isRequired whether the operation refuses without this field; help shows that, and nothing here checks it */
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

/** Turns `--dry-run` into the property name of a parsed option: `dryRun`. */
export const optionName = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Reads an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];
