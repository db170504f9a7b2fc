/** One settings file: from what was found to what it should become, and how to undo that. Pure. */
import { digestBytes } from '../repo/digest.ts';
import type { FileChange, FileFound } from './file-change.ts';
import { guardLines } from './hook-lines.ts';
import { mergeSettings, newContainers, stripSettings } from './merge.ts';
import { type Added, rulesOf } from './merge-rules.ts';
import { mergeStatusLine, STATUS_LINE, stripStatusLine, type WantedFile } from './status-line.ts';
import { readSettingsText, settingsError, SettingsFault, type SettingsText } from './settings-text.ts';
import type { UndoEntry } from './undo.ts';

export interface PlannedFile {
  readonly change: FileChange;
  readonly entry: UndoEntry;
}

const NOTHING_ADDED: Added = { rules: [], containers: [] };

/** @param before what the file would be if guard had never been here */
export function planned(
  { found, after }: FileChange,
  before: Buffer | null,
  known: UndoEntry | undefined,
  more: Partial<UndoEntry> = {},
): PlannedFile {
  return {
    change: { found, after },
    entry: {
      before: before?.toString('base64') ?? null,
      after: after === null ? null : digestBytes(after),
      added: NOTHING_ADDED,
      hooks: false,
      made: known?.made === true || after !== found.bytes,
      dirs: known?.dirs ?? [],
      backup: known?.backup ?? null,
      ...more,
    },
  };
}

const NONE = Buffer.alloc(0);

/** @throws GuardError GUARD_ERR_SETTINGS with line and column if the file cannot be edited safely */
export function hookSettings(
  found: FileFound,
  wanted: WantedFile,
  known: UndoEntry | undefined,
): PlannedFile {
  const read = readOrThrow(found);
  const known_added = known?.added ?? null;
  const hooked = mergeSettings(read.text, wanted, known_added);
  const merged = mergeStatusLine(hooked, wanted.status_line, madeLine(known_added));
  const after = merged === read.text ? found.bytes : encoded(read, merged);
  const before = unhookSettings(found, known).after;
  const before_text = before === null ? '{}' : readOrThrow({ ...found, bytes: before }).text;
  const rules = rulesOf(merged).filter(
    (rule) => wanted.rules.includes(rule) && !rulesOf(before_text).includes(rule),
  );
  const added = { rules, containers: newContainers(before_text, merged) };
  const hooks = Object.keys(wanted.hooks).length > 0;
  return planned({ found, after }, before, known, { added, hooks });
}

/**
 * Restores the file exactly if no one else has changed it; otherwise removes only guard's entries. A file without any stays
 * as it is, whatever the undo book says: a book from an unpacked archive must not replace the user's files.
 */
export function unhookSettings(found: FileFound, known: UndoEntry | undefined): FileChange {
  if (found.bytes === null) return { found, after: null };
  const read = readOrThrow(found);
  const has_hooks = guardLines(read.value).length > 0;
  // Without an entry in the undo book, rules alone may be the user's own; next to guard's hooks they came with them.
  if (known === undefined && !has_hooks) return { found, after: found.bytes };
  // Removing guard's entries one by one would only show that there are some.
  if (known !== undefined && has_hooks && digestBytes(found.bytes) === known.after)
    return { found, after: bytesOf(known.before) };
  const added = known?.added ?? null;
  const stripped = stripStatusLine(stripSettings(read.text, added), madeLine(added));
  if (stripped === read.text) return { found, after: found.bytes };
  if (known !== undefined && digestBytes(found.bytes) === known.after)
    return { found, after: bytesOf(known.before) };
  const isEmpty = Object.keys(JSON.parse(stripped) as object).length === 0;
  return { found, after: isEmpty && known?.before === null ? null : encoded(read, stripped) };
}

const madeLine = (added: Added | null): boolean | null => added && added.containers.includes(STATUS_LINE);

export function readOrThrow(found: FileFound): SettingsText {
  const read = readSettingsText(found.bytes ?? NONE);
  if (read instanceof SettingsFault) throw settingsError(found.path, read);
  return read;
}

const encoded = (read: SettingsText, text: string): Buffer => Buffer.from(read.bom + text, 'utf8');

export const bytesOf = (base64: string | null): Buffer | null =>
  base64 === null ? null : Buffer.from(base64, 'base64');
