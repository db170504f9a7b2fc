// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Installations of guard 0.1 have no id and no mark. They are adopted on first use if this machine itself proves that
 * they were made here (docs/decisions/070): the index contains the inode of the lock, which no archive or copy can
 * preserve; if nothing was recorded yet, the directory was created at the time that install.json states.
 */
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { SAFELY } from '../safely.ts';
import { join } from 'node:path';
import { readInstall } from '../install.ts';
import type { Repo } from '../repo.ts';
import type { Environment } from '../user-dirs.ts';
import { identity, isSame, type Mark } from './mark.ts';
import { markPlace } from './marking.ts';

/** "IDXG", and the offset in the index of the lock's inode (store/embedded/header.ts). */
const MAGIC = 0x47584449;
const HOME_AT = 48;

/** `guard init` 0.1 read the clock and created the directory right after; file system clocks tick every 10 ms at worst. */
const EARLY_MS = 20;
const LATE_MS = 2_000;

/** True if it is adopted, or was half adopted by a process that died. Never throws for problems with the place. */
export function adoptState(
  place: Pick<Repo, 'state_dir' | 'common_dir' | 'root'>,
  env: Environment,
  mark: Mark | null,
): boolean {
  const { state_dir } = place;
  try {
    const stat = lstatSync(state_dir, { bigint: true });
    const own = mark !== null && isSame(mark.state, identity(stat));
    if (!own && !isOfThisMachine(state_dir)) return false;
    markPlace(place, env, readInstall(state_dir));
    return true;
  } catch {
    return false;
  }
}

/** The launcher implements the same rule. */
function isOfThisMachine(state_dir: string): boolean {
  const home = homeInIndex(join(state_dir, 'index'));
  if (home !== null) return home === lstatSync(join(state_dir, 'lock'), { throwIfNoEntry: false })?.ino;
  const { birthtimeMs, ctimeMs } = lstatSync(state_dir);
  const after_ms = birthtimeMs - Date.parse(readInstall(state_dir).created_at);
  return birthtimeMs !== ctimeMs && after_ms >= -EARLY_MS && after_ms <= LATE_MS;
}

/** Null if there is no index. */
function homeInIndex(file: string): number | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  const fd = openSync(file, SAFELY);
  try {
    const head = Buffer.alloc(64);
    const isIndex = readSync(fd, head, 0, 64, 0) === 64 && head.readUInt32LE(0) === MAGIC;
    return isIndex ? head.readUInt32LE(HOME_AT) + head.readUInt32LE(HOME_AT + 4) * 0x1_0000_0000 : 0;
  } finally {
    closeSync(fd);
  }
}
