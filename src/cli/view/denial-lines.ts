/** A denial as its agent received it, for people: what it says, and its steps. */
import { asList, asObject, asText, type JsonObject } from '../../core/json-object.ts';
import { plain } from '../../core/plain.ts';

export const denialLines = (denial: JsonObject): string[] => [
  `  ${plain(asText(denial['message']))}`,
  ...asList(asObject(denial['details'])['next']).map((step) => `  next: ${plain(asText(step))}`),
];
