/** Fields of JSON whose shape is somebody else's, where an empty string and a zero are values (unlike ../input.ts). */
import type { Fields } from '../input.ts';

export { isObject as isFields } from '../../core/json-object.ts';

/** The first of the named fields that is a string; `undefined` when none is. */
export function stringIn(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** The first of the named fields that is a finite number. */
export function numberIn(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return undefined;
}
