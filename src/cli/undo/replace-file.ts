/** Replaces a file's content completely or not at all; the current content must be what the caller looked at. */
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import type { Target } from '../../repo/canonical.ts';
import { errnoOf } from '../../repo/errno.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { onDisk } from './history.ts';
import { isExecutableInGit } from './in-git.ts';

/** Reduced by the user's umask. */
const NEW_FILE_MODE = 0o666;

/** @param bytes `null` to remove the file. @throws GuardError GUARD_ERR_UNSTABLE, GUARD_ERR_IO */
export function replaceSeen(target: Target, seen: DiskFact, bytes: Buffer | null): void {
  const { real } = target;
  const aside = join(dirname(real), `.${basename(real).slice(0, 100)}.guard-undo.${process.pid}`);
  const mustBeSeen = (): void => {
    const now = onDisk(target);
    if (now.state !== seen.state || now.digest !== seen.digest) throw changedMeanwhile(target);
  };
  try {
    if (bytes === null) {
      mustBeSeen();
      fs.rmSync(real, { force: true });
      return;
    }
    fs.mkdirSync(dirname(real), { recursive: true });
    fs.rmSync(aside, { force: true });
    const ready = (): void => {
      fs.chmodSync(aside, modeFor(target, fs.statSync(aside).mode & 0o777));
      mustBeSeen();
    };
    replaceWhole(real, bytes, { aside, mode: NEW_FILE_MODE, ready });
  } catch (error) {
    if (error instanceof GuardError) throw error;
    throw new GuardError(
      'GUARD_ERR_IO',
      `${target.abs} cannot be put back (${errnoOf(error)}).`,
      'The file is unchanged. Check the permissions of its directory, and the disk.',
      { path: target.abs, errno: errnoOf(error) },
      error,
    );
  }
}

const changedMeanwhile = ({ abs }: Target): GuardError =>
  new GuardError(
    'GUARD_ERR_UNSTABLE',
    `${abs} was changed while it was being put back; it was left as it is now.`,
    'Run the command again, and look at the difference first (--dry-run).',
    { path: abs },
  );

/** The mode of the file it replaces; if that is gone, git may know if it was executable. @param made the mode after the umask */
function modeFor(target: Target, made: number): number {
  const before = fs.lstatSync(target.real, { throwIfNoEntry: false });
  const run = (made & 0o444) >> 2;
  return before === undefined ? made | (isExecutableInGit(target) ? run : 0) : before.mode & 0o7777;
}
