/** One file as it was found, and as it shall be. Plans are made of these; nothing here decides anything. */
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
  /** As people name it. */
  readonly path: string;
  /** What is written: a symbolic link stays a link, its target changes. */
  readonly target: string;
  /** The file itself is a symbolic link; one further up does not count. */
  readonly is_link: boolean;
  /** Null: there is no file. */
  readonly bytes: Buffer | null;
  readonly mode: number;
}

export interface FileChange {
  readonly found: FileFound;
  /** Null: the file goes. */
  readonly after: Buffer | null;
  /** Its bytes are right, its mode is not. */
  readonly mode_only?: true;
  /** What was found stays under this name, as it is: a link as a link. */
  readonly kept_as?: string;
  /** `after` is there under this name, which takes the place. */
  readonly back_from?: string;
}

/** Settings of a few kilobytes are normal; a file this big is something else. */
const MAX_BYTES = 32 * 1024 * 1024;
const NEW_FILE_MODE = 0o644;
export const BACKUP_SUFFIX = '.guard-backup';

export const isChange = (change: FileChange): boolean =>
  change.mode_only === true || !isSame(change.found.bytes, change.after);

const isSame = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);

/** @throws GuardError GUARD_ERR_SETTINGS when there is something, but no file that could be edited */
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
    throw unusable(path, `it cannot be looked at (${errnoOf(error)})`);
  }
}

/** A file without write permission was closed by somebody; replacing it by rename would go around that. */
export function refuseReadOnly(found: FileFound): void {
  if (found.bytes !== null && (found.mode & 0o222) === 0) {
    throw unusable(found.path, `it is read-only (mode ${found.mode.toString(8)})`);
  }
}

/**
 * Replaces the file in one step, with the mode and owner it had: a reader sees the old one or the new one.
 * @throws GuardError GUARD_ERR_SETTINGS when it changed since it was found, or cannot be written
 */
export function applyChange(change: FileChange): void {
  const { found, after } = change;
  const now = findFile(found.path).bytes;
  // Two `guard init` at once want the same.
  if (isSame(now, after) && change.mode_only !== true) return;
  if (!isSame(now, found.bytes)) throw unusable(found.path, 'it was changed by somebody else just now');
  try {
    if (change.kept_as !== undefined) keep(found, change.kept_as);
    if (change.back_from !== undefined) renameSync(change.back_from, found.target);
    else if (after === null) rmSync(found.target);
    else replaceTarget(found.target, after, found.mode);
  } catch (error) {
    throw unusable(found.path, `it cannot be written (${errnoOf(error)})`);
  }
}

/** A second name, so that there is no moment without the file. One that an interrupted run made is as good. */
function keep({ path, is_link }: FileFound, name: string): void {
  try {
    if (is_link) symlinkSync(readlinkSync(path), name);
    else linkSync(path, name);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') renameSync(path, name);
  }
}

/** Beside the file, with its mode: it may hold keys. Made once; the oldest one is the one worth having. */
export function backUp(found: FileFound): string | null {
  const backup = `${found.target}${BACKUP_SUFFIX}`;
  if (found.bytes === null) return null;
  try {
    writeFileSync(backup, found.bytes, { flag: 'wx', mode: found.mode });
    return backup;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw unusable(found.path, `no backup can be written beside it (${errnoOf(error)})`);
  }
}

/** Directories made on the way to `path`, outermost first. */
export function makeParents(path: string): readonly string[] {
  const first = mkdirSync(dirname(path), { recursive: true });
  if (first === undefined) return [];
  const made: string[] = [];
  for (let dir = dirname(path); dir.length >= first.length; dir = dirname(dir)) made.unshift(dir);
  return made;
}

/** Removes the directories that are empty now, innermost first; others stay. */
export function removeEmpty(dirs: readonly string[]): void {
  for (const dir of dirs.toReversed()) {
    try {
      rmdirSync(dir);
    } catch {
      return;
    }
  }
}

/** On the disk, with exactly this mode and with the owner of what was there. */
export const replaceTarget = (target: string, bytes: Uint8Array, mode: number): void =>
  replaceWhole(target, bytes, {
    ...{ mode, flush: true },
    // Hidden: settings and rules are looked for by their endings.
    aside: join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`),
    ready(aside) {
      chmodSync(aside, mode);
      keepOwner(target, aside);
    },
  });

/** Root edits other people's files too (`sudo guard init`): they stay theirs. */
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
