/**
 * `guard off` where the state directory is gone, or not believed: the pause is in the user's own directory, beside the
 * mark. It counts only as long as the repository has no state of its own that is believed.
 */
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Now } from '../core/types.ts';
import { anchorOf, markName } from '../repo/known/mark.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { ensureStateDir } from '../repo/state-dir.ts';
import { readOff } from './off.ts';
import type { Off } from './off.ts';
import { writeStateJson } from './state-json.ts';

/** Directory and name of the file; null: the repository is gone too. */
export function pausePlace(
  repo: Pick<Repo, 'common_dir' | 'root'>,
  env: Environment,
): { readonly dir: string; readonly name: string } | null {
  const file = markName(anchorOf(repo), env);
  return file === null ? null : { dir: dirname(file), name: `${basename(file)}.off.json` };
}

export function readPause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment, now: Now): Off | null {
  const place = pausePlace(repo, env);
  return place === null ? null : readOff(place.dir, now, place.name);
}

/** True when there was one to end. */
export function endPause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment): boolean {
  const place = pausePlace(repo, env);
  const file = place === null ? null : join(place.dir, place.name);
  const was_there = file !== null && existsSync(file);
  if (was_there) rmSync(file, { force: true });
  return was_there;
}

/** @throws GuardError GUARD_ERR_STATE_DIR where the user's own directory cannot be made */
export function writePause(repo: Pick<Repo, 'common_dir' | 'root'>, env: Environment, off: Off): void {
  const place = pausePlace(repo, env);
  if (place === null) return;
  ensureStateDir(dirname(place.dir));
  ensureStateDir(place.dir);
  writeStateJson(place.dir, place.name, off);
}
