/**
 * The state directory: 0700, ours, and not a link. What is in it decides who may write, so a directory that others can
 * change, or that is reached through another user's link, is refused with the command that repairs it.
 */
import { chmodSync, lstatSync, mkdirSync, type Stats, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { shellWord } from '../core/shell-word.ts';
import { errnoOf } from './errno.ts';
import { isPresent } from './git-dir.ts';
import type { Repo } from './repo.ts';

export { type Install, readInstall, writeInstall } from './install.ts';

function refuse(dir: string, reason: string, hint: string): GuardError {
  return new GuardError('GUARD_ERR_STATE_DIR', `${dir} ${reason}.`, hint, { dir, reason });
}

function lstatOrRefuse(dir: string): Stats {
  try {
    return lstatSync(dir);
  } catch (error) {
    const hint = 'Run `guard init` in the repository.';
    throw refuse(dir, `cannot be examined (${errnoOf(error)})`, hint);
  }
}

/** A link on the way is fine if it is the system's or ours (`/tmp` on macOS, a home on another disk). */
function checkAncestors(dir: string, uid: number): void {
  for (let at = dirname(dir); dirname(at) !== at; at = dirname(at)) {
    const stat = lstatOrRefuse(at);
    if (stat.isSymbolicLink() && stat.uid !== uid && stat.uid !== 0) {
      throw refuse(
        dir,
        `is reached through ${at}, a link of another user`,
        `Remove that link, or work elsewhere.`,
      );
    }
  }
}

/** Throws GUARD_ERR_STATE_DIR; `hint` is the exact fix. */
export function checkStateDir(dir: string): void {
  const stat = lstatOrRefuse(dir);
  const word = shellWord(dir);
  if (stat.isSymbolicLink()) throw refuse(dir, 'is a symbolic link', `Run: rm ${word}, then \`guard init\`.`);
  if (!stat.isDirectory()) throw refuse(dir, 'is not a directory', `Run: rm ${word}, then \`guard init\`.`);
  const uid = process.getuid?.();
  // Windows has neither owners nor modes of this kind; there the profile directory protects what is below it.
  if (uid === undefined) return;
  if (stat.uid !== uid) {
    const hint =
      uid === 0
        ? `You are root: work as user ${stat.uid}, or run: chown -R 0 ${word}`
        : `If this repository is yours, run: sudo chown -R ${uid} ${word}`;
    throw refuse(dir, `belongs to user ${stat.uid}, not to you (${uid})`, hint);
  }
  if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8);
    throw refuse(dir, `can be used by others (mode ${mode})`, `Run: chmod 700 ${word}`);
  }
  checkAncestors(dir, uid);
}

function makeDir(dir: string): boolean {
  try {
    mkdirSync(dir, { mode: 0o700 });
    // The mode above is subject to the umask.
    chmodSync(dir, 0o700);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw refuse(
      dir,
      `cannot be created (${errnoOf(error)})`,
      'Check the permissions of the directory above it.',
    );
  }
}

/** Repairs what needs no question of ownership: our own directory that others can use, and a link in its place. */
function mendStateDir(dir: string): void {
  if (!isPresent(dir)) return;
  const stat = lstatOrRefuse(dir);
  // Only the link is removed. Its target stays, because it may belong to anyone.
  if (stat.isSymbolicLink()) unlinkSync(dir);
  else if (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0)
    chmodSync(dir, 0o700);
}

/** Creates the directory if it is missing, otherwise checks it. Missing parents are created too, for this user only. */
export function ensureStateDir(dir: string): void {
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  makeDir(dir);
  checkStateDir(dir);
}

/** For `guard init`. Idempotent; an existing directory is repaired only as `mendStateDir` describes. */
export function createStateDir(repo: Repo): void {
  mendStateDir(repo.state_dir);
  const made = makeDir(repo.state_dir);
  checkStateDir(repo.state_dir);
  // Without git today, but perhaps not tomorrow: nothing in this directory must ever be committed.
  if (made && repo.common_dir === null)
    writeFileSync(join(repo.state_dir, '.gitignore'), '*\n', { mode: 0o600 });
}
