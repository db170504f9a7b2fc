/** Fields of untrusted JSON. */
import { asText, type JsonObject as Fields } from '../core/json-object.ts';

export { asObject as asFields, asText } from '../core/json-object.ts';
export type { JsonObject as Fields } from '../core/json-object.ts';

/** The first of the named fields that is a non-empty string. */
export const textField = (fields: Fields, ...names: readonly string[]): string =>
  names.map((name) => asText(fields[name])).find((text) => text !== '') ?? '';
