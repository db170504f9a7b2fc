/** Fields of JSON that nobody vouches for. */

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** First of the names that holds a non-empty string. */
export function textField(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const text = asText(fields[name]);
    if (text !== '') return text;
  }
  return '';
}
