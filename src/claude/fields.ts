/** Fields of JSON that nobody vouches for. */
import { asText, type JsonObject as Fields } from '../core/json-object.ts';

export { asObject as asFields, asText } from '../core/json-object.ts';
export type { JsonObject as Fields } from '../core/json-object.ts';

/** First of the names that holds a non-empty string. */
export const textField = (fields: Fields, ...names: readonly string[]): string =>
  names.map((name) => asText(fields[name])).find((text) => text !== '') ?? '';
