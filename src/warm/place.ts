/** Where a server is to be found: one socket for each build of guard, in a directory of this user's alone below the state directory. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';

export const warmDir = (state_dir: string): string => join(state_dir, 'warm');

const SUFFIX = '.sock';

export const socketName = (build: string): string => `${build}${SUFFIX}`;

/** Made by the launcher that starts a server, which removes it as soon as it listens. */
export const startingName = (build: string): string => `${build}.starting`;

/** Of all builds, those of dead servers too. */
export const socketsIn = (state_dir: string): readonly string[] =>
  attempt(() => readdirSync(warmDir(state_dir)), [])
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(warmDir(state_dir), name));
