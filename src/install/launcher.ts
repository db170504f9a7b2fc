/** The launcher that a project install commits: a copy of hooks/guard-hook.cjs. */
import { digestBytes } from '../repo/digest.ts';
import type { FileChange, FileFound } from './file-change.ts';
import type { PlannedFile } from './settings-change.ts';
import type { UndoEntry } from './undo.ts';

const NOTHING_ADDED = { rules: [], containers: [] };
const FIRST_LINE = "// Runs guard's hook.";

export function placeLauncher(found: FileFound, source: Buffer, known: UndoEntry | undefined): PlannedFile {
  const after = found.bytes?.equals(source) === true ? found.bytes : source;
  const entry: UndoEntry = {
    before: removeLauncher(found, known).after?.toString('base64') ?? null,
    after: digestBytes(after),
    added: NOTHING_ADDED,
    hooks: false,
    made: known?.made === true || after !== found.bytes,
    dirs: known?.dirs ?? [],
    backup: known?.backup ?? null,
  };
  return { change: { found, after }, entry };
}

/** A file that was there before guard's comes back; one that is not guard's stays. */
export function removeLauncher(found: FileFound, known: UndoEntry | undefined): FileChange {
  if (found.bytes === null) return { found, after: null };
  if (known !== undefined && digestBytes(found.bytes) === known.after) {
    return { found, after: known.before === null ? null : Buffer.from(known.before, 'base64') };
  }
  return {
    found,
    after: found.bytes.subarray(0, FIRST_LINE.length).toString() === FIRST_LINE ? null : found.bytes,
  };
}
