/** Where servers are found: one socket per build of guard, in a directory in the state directory that only this user can use. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';

export const warmDir = (state_dir: string): string => join(state_dir, 'warm');

const SUFFIX = '.sock';

export const socketName = (build: string): string => `${build}${SUFFIX}`;

/** Created by the launcher that starts a server, and removed by the server as soon as it listens. */
export const startingName = (build: string): string => `${build}.starting`;

/** The sockets of all builds, including those of dead servers. */
export const socketsIn = (state_dir: string): readonly string[] =>
  attempt(() => readdirSync(warmDir(state_dir)), [])
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(warmDir(state_dir), name));
