/** A file that is entirely guard's. Pure. */
import { GuardError } from '../core/error.ts';
import { digestBytes } from '../repo/digest.ts';
import type { FileChange, FileFound } from './file-change.ts';
import { bytesOf, planned, type PlannedFile } from './settings-change.ts';
import type { UndoEntry } from './undo.ts';

export interface OwnFile {
  readonly isOurs: (bytes: Buffer) => boolean;
  /** Completes: "is not". */
  readonly called: string;
  /** What a person can do if something else is in its place. */
  readonly otherwise: string;
}

/** @throws GuardError GUARD_ERR_SETTINGS if something else is in its place, including a link to another location */
export function placeOwn(
  found: FileFound,
  source: Buffer,
  known: UndoEntry | undefined,
  file: OwnFile,
): PlannedFile {
  if (found.is_link || (found.bytes !== null && !file.isOurs(found.bytes))) throw inTheWay(found.path, file);
  const after = found.bytes?.equals(source) === true ? found.bytes : source;
  return planned({ found, after }, removeOwn(found, known, file).after, known);
}

/** Restores an older one that was there before; leaves what is not guard's. */
export function removeOwn(found: FileFound, known: UndoEntry | undefined, { isOurs }: OwnFile): FileChange {
  if (found.bytes === null || !isOurs(found.bytes)) return { found, after: found.bytes };
  const is_ours = known !== undefined && digestBytes(found.bytes) === known.after;
  return { found, after: is_ours ? bytesOf(known.before) : null };
}

const inTheWay = (path: string, { called, otherwise }: OwnFile): GuardError =>
  new GuardError('GUARD_ERR_SETTINGS', `${path} is not ${called}.`, `Nothing was changed. ${otherwise}`, {
    file: path,
  });
