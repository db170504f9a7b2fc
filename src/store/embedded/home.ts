/**
 * Which place a ledger belongs to. A copy, a backup that was put back and a replaced directory all have another lock
 * file than the one that the ledger was written under; two of them would give out the same tokens twice. The lock's
 * inode and birth time are kept in `home` beside the segments, where making the index again cannot lose them, and
 * `guard init` adopts a copy (adopt.ts). Without `home` (ledgers of 0.1) the index or a checkpoint is the witness; where none is, there is
 * nothing to contradict.
 *
 * Not compared: the device number (containers and volumes get a new one at every mount). Not to be told from the
 * original: a copy that overwrites all files in place, and a snapshot of the whole volume.
 */
import { constants, readFileSync, renameSync, statfsSync, writeSync, fsyncSync } from 'node:fs';
import { GuardError } from '../../core/error.ts';
import { knownErrno } from '../failure.ts';
import { close, openFile, removeFile } from './files.ts';
import { filePrint, type Header } from './header.ts';
import type { Home } from './home-identity.ts';

const HOME = 'home';
const SCRATCH = 'home.tmp';

/** No lock file has this one: written before a copy without `home` is adopted, so that it stays a copy until that is done. */
export const NOWHERE: Home = { ino: 0, birth_ms: 0 };

/** f_type of statfs(2), Linux, of those that make up inode numbers as they go: FUSE, msdos, exfat. */
const UNSTEADY: readonly number[] = [0x65735546, 0x4d44, 0x2011bab0];
const OVERLAY = 0x794c7630;

/** One file or two? Inodes are used again within moments, so the birth time counts where both are known. */
export function isSameHome(known: Home, found: Home, fs_type: number): boolean {
  if (UNSTEADY.includes(fs_type)) return true;
  const bornTogether = Math.abs(known.birth_ms - found.birth_ms) <= 1;
  const bothKnown = known.birth_ms > 0 && found.birth_ms > 0;
  // An overlay may number the files of its layers anew at every mount; nobody can set a birth time there.
  if (fs_type === OVERLAY && bothKnown) return bornTogether;
  return known.ino === found.ino && (bornTogether || !bothKnown);
}

/** The same in this directory. */
export const isHomeIn = (dir: string, known: Home, found: Home): boolean =>
  isSameHome(known, found, fsType(dir));

const fsType = (dir: string): number => (process.platform === 'linux' ? statfsSync(dir).type >>> 0 : 0);

/** Whether inode numbers mean anything there. */
const isSteady = (dir: string): boolean => !UNSTEADY.includes(fsType(dir));

/** What the state directory says of itself; undefined where it says nothing that can be read. */
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

/** Whole under its name, or not at all. */
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

/** What else remembers the place. The index comes before the checkpoints: it is the newer one. */
export interface Caches {
  readonly index: Header | undefined;
  readonly checkpoint: Header | undefined;
  /** The segment that the index ends in, where it is there. */
  readonly segment: Home | undefined;
}

/** Whether that is the file of which an index kept the print. Guards of 0.1 kept the bare inode. */
export const isPrintOf = (print: number, file: Home): boolean =>
  print === filePrint(file) || print === file.ino;

export interface HomeJudgement {
  readonly isCopy: boolean;
  /** The place on record; undefined where only a cache knew it, or nothing. */
  readonly known: Home | undefined;
}

/**
 * Whether the state directory in `dir` is a copy of one that had another lock file. Also a copy: segments that were put
 * back under a lock and an index that fit together. Reads only.
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
    `The ledger in ${dir} is a copy, or was put back from a backup: its lock is another file than the one it was written under.`,
    'A person runs guard init here. It adopts the ledger: history and messages stay, all locks in it end.',
    { path: dir, ino: found.ino, known_ino: known?.ino },
  );
}
