/**
 * Determines which place a ledger belongs to. A copy, a restored backup and a replaced directory all have a different
 * lock file from the one under which the ledger was written, and two of them would give out the same tokens twice. The
 * lock's inode and birth time are stored in `home` next to the segments, where rebuilding the index cannot lose them;
 * `guard init` adopts a copy (adopt.ts). Without `home` (ledgers of 0.1) the index or a checkpoint serves as evidence;
 * without either, the ledger is accepted.
 *
 * The device number is not compared: containers and volumes get a new one at every mount. Two cases cannot be told from
 * the original: a copy that overwrites all files in place, and a snapshot of the whole volume.
 */
import { constants, readFileSync, renameSync, statfsSync, writeSync, fsyncSync } from 'node:fs';
import { GuardError } from '../../core/error.ts';
import { knownErrno } from '../failure.ts';
import { close, openFile, removeFile, HOME } from './files.ts';
import { filePrint, type Header } from './header.ts';
import type { Home } from './home-identity.ts';

const SCRATCH = 'home.tmp';

/** Matches no lock file. Written before a copy without `home` is adopted, so that it stays a copy until that is done. */
export const NOWHERE: Home = { ino: 0, birth_ms: 0 };

/** f_type from statfs(2) on Linux of file systems that invent inode numbers as they go: FUSE, msdos, exfat. */
const UNSTEADY: readonly number[] = [0x65735546, 0x4d44, 0x2011bab0];
const OVERLAY = 0x794c7630;

/** Whether two identities are the same file. Inodes are reused within moments, so birth times count if both are known. */
export function isSameHome(known: Home, found: Home, fs_type: number): boolean {
  if (UNSTEADY.includes(fs_type)) return true;
  const bornTogether = Math.abs(known.birth_ms - found.birth_ms) <= 1;
  const bothKnown = known.birth_ms > 0 && found.birth_ms > 0;
  // An overlay may renumber the files of its layers at every mount, but a birth time there cannot be set.
  if (fs_type === OVERLAY && bothKnown) return bornTogether;
  return known.ino === found.ino && (bornTogether || !bothKnown);
}

/** `isSameHome` for the file system of this directory. */
export const isHomeIn = (dir: string, known: Home, found: Home): boolean =>
  isSameHome(known, found, fsType(dir));

const fsType = (dir: string): number => (process.platform === 'linux' ? statfsSync(dir).type >>> 0 : 0);

/** Whether inode numbers in this directory are stable. */
const isSteady = (dir: string): boolean => !UNSTEADY.includes(fsType(dir));

/** The identity stored in the state directory; undefined if there is none or it cannot be read. */
export function homeOnRecord(dir: string): Home | undefined {
  try {
    const { fd, size } = openFile(dir, HOME, constants.O_RDONLY);
    try {
      return size > 512 ? undefined : asHome(JSON.parse(readFileSync(fd, 'utf8')));
    } finally {
      close(fd);
    }
  } catch (error) {
    if (knownErrno(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asHome(value: unknown): Home | undefined {
  if (typeof value !== 'object' || value === null || !('ino' in value) || !('birth_ms' in value))
    return undefined;
  const { ino, birth_ms } = value;
  return typeof ino === 'number' && typeof birth_ms === 'number' ? { ino, birth_ms } : undefined;
}

/** Atomic: the file appears under its name complete, or not at all. */
export function writeHome(dir: string, { ino, birth_ms }: Home, durable: boolean): void {
  removeFile(`${dir}/${SCRATCH}`);
  const { fd } = openFile(dir, SCRATCH, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
  try {
    const text = Buffer.from(`${JSON.stringify({ v: 1, ino, birth_ms })}\n`);
    if (writeSync(fd, text) !== text.length)
      throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    if (durable) fsyncSync(fd);
  } finally {
    close(fd);
  }
  renameSync(`${dir}/${SCRATCH}`, `${dir}/${HOME}`);
}

/** Other evidence of the place. The index takes precedence over the checkpoints because it is newer. */
export interface Caches {
  readonly index: Header | undefined;
  readonly checkpoint: Header | undefined;
  /** The segment in which the index ends, if it exists. */
  readonly segment: Home | undefined;
}

/** Whether `print`, stored in an index, is that of this file. Guards of 0.1 stored the bare inode. */
export const isPrintOf = (print: number, file: Home): boolean =>
  print === filePrint(file) || print === file.ino;

export interface HomeJudgement {
  readonly isCopy: boolean;
  /** The recorded place; undefined if only a cache knew it, or nothing did. */
  readonly known: Home | undefined;
}

/**
 * Whether the state directory `dir` is a copy of one that had another lock file. Segments that were restored under a
 * lock and an index that match each other count as a copy too. Reads only.
 */
export function judgeHome(dir: string, found: Home, caches: Caches): HomeJudgement {
  const known = homeOnRecord(dir);
  const isElsewhere =
    known === undefined ? isForeign(found, caches) && isSteady(dir) : !isHomeIn(dir, known, found);
  return { isCopy: isElsewhere || (isReplaced(found, caches) && isSteady(dir)), known };
}

function isForeign(found: Home, { index, checkpoint }: Caches): boolean {
  const print = index?.home ?? checkpoint?.home ?? 0;
  return print !== 0 && !isPrintOf(print, found);
}

function isReplaced(found: Home, { index, segment }: Caches): boolean {
  if (index === undefined || segment === undefined || index.segment === 0) return false;
  return isPrintOf(index.home, found) && !isPrintOf(index.segment, segment);
}

export function copied(dir: string, found: Home, known: Home | undefined): GuardError {
  return new GuardError(
    'GUARD_ERR_COPIED',
    `The ledger in ${dir} is a copy or was restored from a backup: its lock file is not the one it was written under.`,
    'A person must run guard init here. It adopts the ledger: history and messages are kept, all locks in it end.',
    { path: dir, ino: found.ino, known_ino: known?.ino },
  );
}
