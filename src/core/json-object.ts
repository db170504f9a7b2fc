import { attempt } from './attempt.ts';

/** A JSON object whose shape has not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an empty object for anything else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns an empty list for anything else. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** For a file that may be missing, damaged or something else: returns an empty object then. */
export const parsedObject = (text: string | null): JsonObject =>
  asObject(attempt((): unknown => JSON.parse(text ?? 'null'), null));
