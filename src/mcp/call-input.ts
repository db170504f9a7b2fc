/** The input of a call, before its tool reads it. */
import { asList, isObject, type JsonObject } from '../core/json-object.ts';
import { RESERVED } from '../core/lock-tools.ts';
import { wrong } from '../operations/read-input.ts';

/** @throws GuardError GUARD_ERR_USAGE */
export function argumentsIn(asked: unknown): JsonObject {
  if (asked === undefined || asked === null || isObject(asked)) return asked ?? {};
  throw wrong('arguments', 'arguments must be an object.');
}

/** A value that is not text is not a valid signature either. */
export const saidIn = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value);

/** @throws GuardError GUARD_ERR_USAGE */
export function placeIn(value: unknown): string | undefined {
  // Models also fill in optional arguments.
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw wrong(RESERVED.cwd, `${RESERVED.cwd} must be text.`);
}

/** The first of them determines the repository. */
export const filesIn = ({ filepaths }: Readonly<Record<string, unknown>>): readonly string[] =>
  asList(filepaths).filter((path) => typeof path === 'string');
