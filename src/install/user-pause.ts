/**
 * `guard off` when the state directory is gone or not trusted: the pause is in the user's own directory, next to the mark.
 * It applies only as long as the repository has no trusted state of its own.
 */
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type GuardError, isGuardError } from '../core/error.ts';
import type { Off } from '../core/policy/pause.ts';
import type { Now } from '../core/types.ts';
import { anchorOf, markNames } from '../repo/known/mark.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { ensureStateDir } from '../repo/state-dir.ts';
import { readOff } from './off.ts';
import { writeStateJson } from './state-json.ts';

/** Directory and name of each possible file; none if the repository is gone, too. */
const pausePlaces = (repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment) =>
  markNames(anchorOf(repo), env).map((name) => ({ dir: dirname(name), name: `${basename(name)}.off.json` }));

export function readPause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment, now: Now): Off | null {
  for (const { dir, name } of pausePlaces(repo, env)) {
    const off = readOff(dir, now, name);
    if (off !== null) return off;
  }
  return null;
}

/** True if there was a pause to end. */
export function endPause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment): boolean {
  const files = pausePlaces(repo, env).map(({ dir, name }) => join(dir, name));
  const there = files.filter((file) => existsSync(file));
  there.forEach((file) => rmSync(file, { force: true }));
  return there.length > 0;
}

/** @throws GuardError GUARD_ERR_STATE_DIR if the user's own directory cannot be created */
export function writePause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment, off: Off): void {
  let failure: GuardError | undefined;
  for (const { dir, name } of pausePlaces(repo, env)) {
    try {
      ensureStateDir(dirname(dir));
      ensureStateDir(dir);
      writeStateJson(dir, name, off);
      return;
    } catch (error) {
      if (!isGuardError(error)) throw error;
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}
