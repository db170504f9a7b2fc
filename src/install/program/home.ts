/**
 * The program home: where guard keeps copies of itself that outlive the place it was started from (an npx cache, a global
 * directory of one Node version). `current.json` names the version in use; everything that is recorded, in settings or in
 * permission rules, names the home, whose path never changes.
 *
 *   <data>/guard/current.json            {"v":1,"dir":"0.1.0-3f2a9c81d04e"}
 *   <data>/guard/versions/<dir>/         bin, dist, hooks, native, package.json ...: one whole program
 *   <data>/guard/bin/guard.cjs           start what current.json names; so does dist/hook.cjs
 */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { realPath } from '../../repo/real-path.ts';
import { isStandalone } from '../../repo/standalone.ts';
import { type Environment, homeOf, userDataDir } from '../../repo/user-dirs.ts';

export const VERSIONS = 'versions';
export const POINTER = 'current.json';

/** Below the user's data directory (XDG Base Directory Specification 0.8: a relative value is ignored). */
export function programHome(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return join(dataDir(env, platform), 'guard');
}

function dataDir(env: Environment, platform: NodeJS.Platform): string {
  const named = env['XDG_DATA_HOME'];
  if (named !== undefined && isAbsolute(named)) return named;
  if (platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support');
  if (platform !== 'win32') return join(homeOf(env), '.local', 'share');
  const local = env['LOCALAPPDATA'];
  return local !== undefined && isAbsolute(local) ? local : join(homeOf(env), 'AppData', 'Local');
}

/**
 * The same for a standalone binary, which runs what it finds there: a repository's settings can set these variables, and its
 * files must not become guard's program.
 */
export const ownProgramHome = (env: Environment): string => join(userDataDir(env), 'guard');

/** The home that a running program is a version of, whatever the environment says now. */
export function homeAround(guard_root: string): string | null {
  const versions = dirname(guard_root);
  const home = dirname(versions);
  return basename(versions) === VERSIONS && existsSync(join(home, POINTER)) ? home : null;
}

/** The home that a standalone binary unpacked a program in, whether or not that home is in use yet. */
export function unpackedIn(guard_root: string): string | null {
  const versions = dirname(guard_root);
  return basename(versions) === VERSIONS && isStandalone() ? dirname(versions) : null;
}

/** What package managers and clients throw away, or move with the next version: nothing below these lasts. */
const PASSING = /[/\\]node_modules[/\\]|[/\\]plugins[/\\]cache[/\\]/;

/** A git checkout is its owner's business wherever it is; so is a directory into which a person unpacked guard. */
export function isPassing(guard_root: string): boolean {
  return PASSING.test(`${guard_root}/`) && !existsSync(join(guard_root, '.git'));
}

/** The path to record for the running guard: the home if its own directory will not last. */
export function recordedRoot(guard_root: string, env: Environment): string {
  return (
    homeAround(guard_root) ??
    unpackedIn(guard_root) ??
    (isPassing(guard_root) ? programHome(env) : guard_root)
  );
}

/**
 * A program in a repository, or below /proc, could be replaced by anyone who can write there.
 * @throws GuardError GUARD_ERR_PATH
 */
export function requireOwnPlace(home: string, repo_root: string): void {
  const [real, root] = [realPath(resolve(home)), realPath(repo_root)];
  const isInside = real === root || real.startsWith(`${root}/`);
  if (!isInside && ![home, real].some((path) => path.startsWith('/proc/'))) return;
  throw new GuardError(
    'GUARD_ERR_PATH',
    `guard will not keep its program in ${home}, which is part of the repository.`,
    'Set XDG_DATA_HOME and HOME to directories of your own, outside of the repository.',
    { home, root: repo_root },
  );
}
