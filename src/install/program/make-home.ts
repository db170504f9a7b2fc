/** Makes the directories of the program home, for this user alone: write access there decides what every hook runs. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { shellWord } from '../../core/shell-word.ts';
import { VERSIONS } from './home.ts';

/** @throws GuardError GUARD_ERR_PATH if one of them belongs to another user, or others may write there */
export function makeHome(home: string): void {
  for (const dir of [home, ...[VERSIONS, 'bin', 'dist'].map((name) => join(home, name))]) {
    // The umask can only remove bits from that mode.
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    requireOwn(dir);
  }
}

function requireOwn(dir: string): void {
  const uid = process.getuid?.();
  // Windows has neither owners nor modes of this kind; the profile directory protects what is below it.
  if (uid === undefined) return;
  const stats = statSync(dir);
  if (stats.uid !== uid) {
    const problem = `belongs to user ${stats.uid}, not to you (${uid})`;
    throw unsafe(dir, problem, 'Set XDG_DATA_HOME to a directory of your own, or remove this one.');
  }
  if ((stats.mode & 0o022) !== 0)
    throw unsafe(
      dir,
      'may be written by others',
      `Look at what is in it, then run: chmod -R go-w ${shellWord(dir)}`,
    );
}

const unsafe = (dir: string, problem: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_PATH', `guard will not keep its program in ${dir}, which ${problem}.`, hint, {
    dir,
    problem,
  });
