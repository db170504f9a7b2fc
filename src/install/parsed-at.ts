import { isObject } from '../core/json-object.ts';

/** A value of a JSON text, undefined if it is not there. */
export const parsedAt = (text: string, path: readonly string[]): unknown => jsonBelow(JSON.parse(text), path);

export const jsonBelow = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at, name) => (isObject(at) ? at[name] : undefined), value);
