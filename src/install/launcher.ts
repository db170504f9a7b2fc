/** The launcher that a project install commits: a copy of hooks/guard-hook.cjs. */
import { GuardError } from '../core/error.ts';
import { digestBytes } from '../repo/digest.ts';
import type { FileChange, FileFound } from './file-change.ts';
import { bytesOf, planned, type PlannedFile } from './settings-change.ts';
import type { UndoEntry } from './undo.ts';

const FIRST_LINE = "// Runs guard's hook.";

/** @throws GuardError GUARD_ERR_SETTINGS when something else is at its place, a link to somewhere else included */
export function placeLauncher(found: FileFound, source: Buffer, known: UndoEntry | undefined): PlannedFile {
  if (found.is_link || (found.bytes !== null && !isLauncher(found.bytes))) throw inTheWay(found.path);
  const after = found.bytes?.equals(source) === true ? found.bytes : source;
  return planned({ found, after }, removeLauncher(found, known).after, known);
}

/** An older launcher that was there before comes back; a file that is no launcher stays. */
export function removeLauncher(found: FileFound, known: UndoEntry | undefined): FileChange {
  if (found.bytes === null || !isLauncher(found.bytes)) return { found, after: found.bytes };
  const is_ours = known !== undefined && digestBytes(found.bytes) === known.after;
  return { found, after: is_ours ? bytesOf(known.before) : null };
}

const isLauncher = (bytes: Buffer): boolean => bytes.subarray(0, FIRST_LINE.length).toString() === FIRST_LINE;

function inTheWay(path: string): GuardError {
  return new GuardError(
    'GUARD_ERR_SETTINGS',
    `${path} is something else than guard's launcher.`,
    'Nothing was changed. Move it elsewhere, or use another scope: guard init --scope local',
    { file: path },
  );
}
