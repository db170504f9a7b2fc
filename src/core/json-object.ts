import { attempt } from './attempt.ts';

/** An object of JSON whose shape nobody vouches for. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty one in place of anything else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An empty one in place of anything else. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Of a file that may be missing, damaged or something else: then an empty one. */
export const parsedObject = (text: string | null): JsonObject =>
  asObject(attempt((): unknown => JSON.parse(text ?? 'null'), null));
