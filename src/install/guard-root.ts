import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { parsedObject } from '../core/json-object.ts';
import { GuardError } from '../core/error.ts';
import { PACKAGE_NAME } from './package-name.ts';

/**
 * The directory of this guard: the nearest one above the running file whose package.json is guard's. The running file is a
 * source, a bundle or a chunk of one, so its depth says nothing.
 * @throws GuardError GUARD_ERR_INTERNAL if the file was copied out of its package
 */
export function guardRoot(from: string = import.meta.filename): string {
  for (let dir = dirname(from); ; dir = dirname(dir)) {
    if (packageOf(dir).name === PACKAGE_NAME) return dir;
    if (dir === dirname(dir)) break;
  }
  throw new GuardError(
    'GUARD_ERR_INTERNAL',
    `guard's own package.json is not above ${from}`,
    'Reinstall guard.',
  );
}

export function guardVersion(): string {
  return packageOf(guardRoot()).version ?? '0.0.0';
}

/** Empty if there is no readable package.json. */
export const packageOf = (dir: string): { name?: string; version?: string } =>
  parsedObject(attempt(() => readFileSync(join(dir, 'package.json'), 'utf8'), null));
