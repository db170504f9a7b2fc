/** An object of JSON whose shape nobody vouches for. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty one in place of anything else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
