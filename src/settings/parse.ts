/** Reads settings as the client does. */
import { attempt } from '../core/attempt.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/** `null` if no client would read it as settings. */
export function parse(text: string): JsonObject | null {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') return {};
  const value = attempt((): unknown => JSON.parse(plain), null);
  return isObject(value) ? value : null;
}
