/** Fields of JSON that nobody vouches for. */
import type { JsonObject as Fields } from '../core/json-object.ts';

export { asObject as asFields } from '../core/json-object.ts';
export type { JsonObject as Fields } from '../core/json-object.ts';

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** First of the names that holds a non-empty string. */
export const textField = (fields: Fields, ...names: readonly string[]): string =>
  names.map((name) => asText(fields[name])).find((text) => text !== '') ?? '';
