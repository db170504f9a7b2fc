/**
 * The files of an embedded store and how they are opened. Symbolic links, files of another user, group- or
 * world-writable files and files with a second name (hard link) are refused.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Lsn } from '../../core/ledger.ts';
import { SAFELY } from '../../repo/safely.ts';
import { asFailure, knownErrno } from '../failure.ts';
import { noLedger, unsafe } from '../told-failure.ts';

export const LOCK = 'lock';
export const INDEX = 'index';
/** Says which lock file this ledger was written under. */
export const HOME = 'home';
/** Events that could not be recorded in time (../late). */
export const LATE = 'late';

const LSN_DIGITS = 12;
const hex12 = (lsn: Lsn): string => lsn.toString(16).padStart(LSN_DIGITS, '0');
export const segmentName = (first: Lsn): string => `ledger-${hex12(first)}.jsonl`;
export const checkpointName = (applied: Lsn): string => `checkpoint-${hex12(applied)}`;
export const cutName = (lsn: Lsn): string => `cut-${hex12(lsn)}`;

/** The lsn in a name of the form `prefix` + 12 hex digits + `suffix`; undefined for any other name. */
function lsnIn(name: string, prefix: string, suffix: string): Lsn | undefined {
  if (name.length !== prefix.length + LSN_DIGITS + suffix.length) return undefined;
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return undefined;
  const digits = name.slice(prefix.length, prefix.length + LSN_DIGITS);
  const lsn = parseInt(digits, 16);
  return hex12(lsn) === digits ? lsn : undefined;
}

export interface Listing {
  /** First lsn of each segment, ascending. */
  readonly segments: readonly Lsn[];
  /** The lsn that each checkpoint has reached, ascending. */
  readonly checkpoints: readonly Lsn[];
  readonly hasIndex: boolean;
  readonly hasLate: boolean;
}

export function list(dir: string): Listing {
  const names = readdirSync(dir);
  const lsns = (prefix: string, suffix: string): Lsn[] =>
    names.flatMap((name) => lsnIn(name, prefix, suffix) ?? []).sort((a, b) => a - b);
  return {
    segments: lsns('ledger-', '.jsonl'),
    checkpoints: lsns('checkpoint-', ''),
    hasIndex: names.includes(INDEX),
    hasLate: names.includes(LATE),
  };
}

/** Whether there are late events: their directory exists only while it has files in it. A link in its place counts too, so that it is moved aside. */
export const hasLate = (dir: string): boolean =>
  attempt(() => lstatSync(`${dir}/${LATE}`, { throwIfNoEntry: false }) !== undefined, false);

function checkOwner(path: string, stats: Stats): void {
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) throw unsafe(path, `belongs to user ${stats.uid}`);
  if (process.platform !== 'win32' && (stats.mode & 0o022) !== 0) throw unsafe(path, 'is writable by others');
}

/** Throws GUARD_ERR_NOT_INITIALISED if the directory is missing, GUARD_ERR_STATE_DIR if it is not safe. */
export function checkDir(dir: string): void {
  let stats: Stats;
  try {
    stats = lstatSync(dir);
  } catch (error) {
    if (knownErrno(error) !== 'ENOENT') throw asFailure(error, `look at ${dir}`, { path: dir });
    throw noLedger(dir, 'state directory');
  }
  if (stats.isSymbolicLink()) throw unsafe(dir, 'is a symbolic link');
  if (!stats.isDirectory()) throw unsafe(dir, 'is not a directory');
  checkOwner(dir, stats);
}

export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  readonly ino: number;
  /** 0 if the file system does not store it. */
  readonly birth_ms: number;
}

/** Opens a state file, then checks the file that was actually opened. */
export function openFile(dir: string, name: string, flags: number): OpenFile {
  const path = `${dir}/${name}`;
  let fd: number;
  try {
    fd = openSync(path, flags | SAFELY, 0o600);
  } catch (error) {
    throw knownErrno(error) === 'ENOENT' ? error : asFailure(error, `open ${path}`, { path });
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unsafe(path, 'is not a file');
    if (stats.nlink > 1) throw unsafe(path, 'has a second name (hard link)');
    checkOwner(path, stats);
    return { fd, size: stats.size, ino: stats.ino, birth_ms: Math.floor(stats.birthtimeMs) };
  } catch (error) {
    close(fd);
    throw asFailure(error, `look at ${path}`, { path });
  }
}

/** Makes a new directory entry survive a power loss. */
export function syncDir(dir: string): void {
  const fd = openSync(dir, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    close(fd);
  }
}

/** Removes a file that may be missing. Not `rmSync`, which loads a recursive remover first. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (knownErrno(error) !== 'ENOENT') throw error;
  }
}

/** Makes a directory inside the state directory, with the same permissions. */
export function makeDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  checkDir(path);
}

/**
 * Closes a file and ignores errors of close(2): the descriptor is gone either way, and whatever had to be on disk
 * was synced before. An error here must not turn a finished commit into a failure.
 */
export function close(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // See above.
  }
}
