/** Fields of foreign JSON, in which an empty string and a zero are values (unlike ../input.ts). */
import type { Fields } from '../input.ts';

export { isObject as isFields } from '../../core/json-object.ts';

/** The first of the named fields that is a string; `undefined` if none is. */
export const stringIn = (fields: Fields, ...names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value) => typeof value === 'string');

/** The first of the named fields that is a finite number. */
export const numberIn = (fields: Fields, ...names: readonly string[]): number | undefined =>
  names.map((name) => fields[name]).find((value): value is number => Number.isFinite(value));
