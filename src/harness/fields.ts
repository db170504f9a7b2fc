/** Checks small JSON files by hand, because only the servers load zod (decision 043). */
import type { JsonObject } from '../core/json-object.ts';

export type Fields = JsonObject;
export { isObject as isFields } from '../core/json-object.ts';

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
export const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
export const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;

/** The first field that fails its check; `null` if all pass. A missing field is `undefined` to its check. */
export function firstWrong(
  fields: Fields,
  checks: Readonly<Record<string, (value: unknown) => boolean>>,
): string | null {
  return Object.entries(checks).find(([name, fits]) => !fits(fields[name]))?.[0] ?? null;
}

export const or =
  (...checks: readonly ((value: unknown) => boolean)[]) =>
  (value: unknown): boolean =>
    checks.some((fits) => fits(value));
export const isMissingValue = (value: unknown): boolean => value === undefined;
export const isNull = (value: unknown): boolean => value === null;
