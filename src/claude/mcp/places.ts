/** Strings at a dotted place in a tool's input, through lists: `edits.path` is the path of every edit. */
import { asObject } from '../../core/json-object.ts';
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return typeof value === 'string' && value !== '' ? [value] : [];
  return valuesAt(asObject(value)[name], rest);
}
