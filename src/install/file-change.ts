/** One file as it was found and as it should become. Plans consist of these; nothing here makes decisions. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { errnoOf } from '../repo/errno.ts';
import { realPath } from '../repo/real-path.ts';
import { replaceWhole } from '../repo/replace-whole.ts';

export interface FileFound {
  /** The name that people use. */
  readonly path: string;
  /** The path that is written: a symbolic link stays a link, and its target changes. */
  readonly target: string;
  /** Whether the file itself is a symbolic link; one further up does not count. */
  readonly is_link: boolean;
  /** `null` if there is no file. */
  readonly bytes: Buffer | null;
  readonly mode: number;
}

export interface FileChange {
  readonly found: FileFound;
  /** `null` if the file is to be removed. */
  readonly after: Buffer | null;
  /** Its bytes are right, but its mode is not. */
  readonly mode_only?: true;
  /** What was found is kept unchanged under this name; a link stays a link. */
  readonly kept_as?: string;
  /** `after` already exists under this name, and is moved into place. */
  readonly back_from?: string;
}

/** Settings normally have a few kilobytes; a file this big is something else. */
const MAX_BYTES = 32 * 1024 * 1024;
const NEW_FILE_MODE = 0o644;
export const BACKUP_SUFFIX = '.guard-backup';

export const isChange = (change: FileChange): boolean =>
  change.mode_only === true || !isSame(change.found.bytes, change.after);

const isSame = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);

/** @throws GuardError GUARD_ERR_SETTINGS if something is there, but not a file that could be edited */
export function findFile(path: string): FileFound {
  const target = realPath(path);
  const is_link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const stat = statOrNull(path, target);
  if (stat === null) return { path, target, is_link, bytes: null, mode: NEW_FILE_MODE };
  if (!stat.isFile()) throw unusable(path, 'it is not a regular file');
  if (stat.size > MAX_BYTES) throw unusable(path, `it is larger than ${MAX_BYTES} bytes`);
  try {
    return { path, target, is_link, bytes: readFileSync(target), mode: stat.mode & 0o7777 };
  } catch (error) {
    throw unusable(path, `it cannot be read (${errnoOf(error)})`);
  }
}

function statOrNull(path: string, target: string): Stats | null {
  try {
    return statSync(target, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw unusable(path, `it cannot be examined (${errnoOf(error)})`);
  }
}

/** Someone made this file read-only; replacing it by rename would bypass that. */
export function refuseReadOnly(found: FileFound): void {
  if (found.bytes !== null && (found.mode & 0o222) === 0) {
    throw unusable(found.path, `it is read-only (mode ${found.mode.toString(8)})`);
  }
}

/**
 * Replaces the file atomically, keeping its mode and owner: a reader sees the old one or the new one.
 * @throws GuardError GUARD_ERR_SETTINGS if it changed since it was found, or cannot be written
 */
export function applyChange(change: FileChange): void {
  const { found, after } = change;
  const now = findFile(found.path).bytes;
  // Two concurrent `guard init` want the same.
  if (isSame(now, after) && change.mode_only !== true) return;
  if (!isSame(now, found.bytes)) throw unusable(found.path, 'another process has just changed it');
  try {
    if (change.kept_as !== undefined) keep(found, change.kept_as);
    if (change.back_from !== undefined) renameSync(change.back_from, found.target);
    else if (after === null) rmSync(found.target);
    else replaceTarget(found.target, after, found.mode);
  } catch (error) {
    throw unusable(found.path, `it cannot be written (${errnoOf(error)})`);
  }
}

/** Adds a second name, so that the file is never missing. One left by an interrupted run is just as good. */
function keep({ path, is_link }: FileFound, name: string): void {
  try {
    if (is_link) symlinkSync(readlinkSync(path), name);
    else linkSync(path, name);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') renameSync(path, name);
  }
}

/** Next to the file, with its mode because it may contain keys. Made only once: the oldest is the one worth keeping. */
export function backUp(found: FileFound): string | null {
  const backup = `${found.target}${BACKUP_SUFFIX}`;
  if (found.bytes === null) return null;
  try {
    writeFileSync(backup, found.bytes, { flag: 'wx', mode: found.mode });
    return backup;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw unusable(found.path, `no backup can be written next to it (${errnoOf(error)})`);
  }
}

/** Creates the directories above `path`, and returns them outermost first. */
export function makeParents(path: string): readonly string[] {
  const first = mkdirSync(dirname(path), { recursive: true });
  if (first === undefined) return [];
  const made: string[] = [];
  for (let dir = dirname(path); dir.length >= first.length; dir = dirname(dir)) made.unshift(dir);
  return made;
}

/** Removes the directories that are empty now, innermost first; the others stay. */
export function removeEmpty(dirs: readonly string[]): void {
  for (const dir of dirs.toReversed()) {
    try {
      rmdirSync(dir);
    } catch {
      return;
    }
  }
}

/** Flushed to disk, with exactly this mode, and with the owner of the file it replaces. */
export const replaceTarget = (target: string, bytes: Uint8Array, mode: number): void =>
  replaceWhole(target, bytes, {
    ...{ mode, flush: true },
    // Hidden, because settings and rules are found by their extensions.
    aside: join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`),
    ready(aside) {
      chmodSync(aside, mode);
      keepOwner(target, aside);
    },
  });

/** Root also edits other people's files (`sudo guard init`): they keep their owner. */
function keepOwner(target: string, temporary: string): void {
  const before = lstatSync(target, { throwIfNoEntry: false });
  if (before === undefined || before.uid === process.getuid?.()) return;
  chownSync(temporary, before.uid, before.gid);
}

function unusable(path: string, reason: string): GuardError {
  return new GuardError(
    'GUARD_ERR_SETTINGS',
    `${path} cannot be used: ${reason}.`,
    'Nothing was changed in it. Correct that, then run the command again.',
    { file: path, reason },
  );
}
