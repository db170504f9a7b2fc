/**
 * The keys of all paths, in order, as of this moment: from the file `paths`, brought up to date with the records that came since.
 * Nobody who locks pays for it. It names keys and nothing else; whatever is wrong with it, it is made anew from the index.
 */
import { constants } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { PATHS } from '../../core/keys.ts';
import type { Key } from '../../core/ledger.ts';
import { openFile } from './files.ts';
import { PATHS_FILE } from './index-file.ts';
import { keysSince } from './keys-since.ts';
import { type LedgerFiles, lineAt, tipMatches } from './ledger.ts';
import {
  addToPaths,
  PATHS_NAME,
  type PathsEnd,
  readPaths,
  type StoredPaths,
  writePaths,
} from './path-file.ts';
import { skimRecord } from './scan-header.ts';
import { isSlotOf, slotsBelow } from './slots.ts';
import { learnKey, pageOfKeys } from './sorted-keys.ts';

/** Of more, making the list anew takes too long under the ledger's lock. */
const PATHS_MAX = 131_072;
/** Read again by everybody who lists rather than written down: 0.1 ms. */
const UNWRITTEN_BYTES = 16 * 1024;
/** Farther behind, the index knows sooner. */
const BEHIND_MAX_BYTES = 8 * 1024 * 1024;

/** Below a prefix that begins with `path:`, in order; null: there is no such list. */
export function pathKeysIn(
  ledger: LedgerFiles,
  below: string,
  after: Key,
  most: number,
): readonly Key[] | null {
  for (const isAnew of [false, true]) {
    const { sorted } = pathsOf(ledger, isAnew) ?? {};
    if (sorted === undefined) return null;
    const found = attempt(() => pageOfKeys(sorted, below, after, most), null);
    if (found !== null) return found;
  }
  return null;
}

function pathsOf(ledger: LedgerFiles, isAnew: boolean): StoredPaths | undefined {
  const known = isAnew ? undefined : (fitting(ledger, ledger.paths) ?? fitting(ledger, stored(ledger)));
  const now = (known && attempt(() => caughtUp(ledger, known), undefined)) ?? anew(ledger);
  if (now === undefined) delete ledger.paths;
  else ledger.paths = now;
  return now;
}

/** Of this very ledger. */
function fitting(ledger: LedgerFiles, known: StoredPaths | undefined): StoredPaths | undefined {
  const { header } = ledger;
  const end = known?.end;
  if (end === undefined || end.home !== header.home || end.first !== header.first) return undefined;
  if (end.applied > header.applied || header.applied - end.applied > BEHIND_MAX_BYTES) return undefined;
  return tipMatches(ledger, end) ? known : undefined;
}

function stored({ dir, files }: LedgerFiles): StoredPaths | undefined {
  return attempt(() => {
    const file = openFile(dir, PATHS_NAME, constants.O_RDONLY);
    files.set(PATHS_FILE, file);
    return readPaths(file);
  }, undefined);
}

const endOf = ({ header: { home, first, applied, tip } }: LedgerFiles): PathsEnd => ({
  home,
  first,
  applied,
  tip,
});

/** Undefined: something in between is not as it should be. */
function caughtUp(ledger: LedgerFiles, known: StoredPaths): StoredPaths | undefined {
  const { sorted } = known;
  const before = known.end.applied;
  const end = endOf(ledger);
  if (before === end.applied) return known;
  const touched = keysSince(ledger, PATHS, before);
  if (touched === undefined) return undefined;
  for (const [key, isThere] of touched) learnKey(sorted, key, isThere);
  if (!ledger.writable) return { ...known, end };
  // Where the file ends stays as it is: what is added next begins there, also when others came meanwhile.
  if (end.applied - before < UNWRITTEN_BYTES) return known;
  if (known.room_bytes <= 0) return anewOf(ledger, pageOfKeys(sorted, PATHS, '', 0));
  const keys = [...touched.keys()].flatMap((key) => {
    const isThere = sorted.changes.get(key);
    return isThere === undefined ? [] : [[key, isThere] as const];
  });
  const { applied, tip } = end;
  const bytes = addToPaths(ledger.dir, { from: before, applied, tip, keys });
  return bytes === 0 ? known : { sorted, end, room_bytes: known.room_bytes - bytes };
}

/** From the index: undefined where it has too many. */
function anew(ledger: LedgerFiles): StoredPaths | undefined {
  const slots = slotsBelow(ledger, PATHS, 0);
  const count = [...slots.values()].reduce((sum, prints) => sum + prints.length, 0);
  if (count > PATHS_MAX) return undefined;
  const keys = [...slots].flatMap(([lsn, prints]) => {
    const line = lineAt(ledger, lsn);
    const record = skimRecord(line, 0, line.length);
    // Whoever asks for that very record says what is wrong with it.
    if (typeof record === 'string') return [];
    return record.live.filter((key) => key.startsWith(PATHS) && isSlotOf(prints, key));
  });
  return anewOf(ledger, keys.sort());
}

function anewOf(ledger: LedgerFiles, keys: readonly Key[]): StoredPaths {
  const end = endOf(ledger);
  const room_bytes = ledger.writable ? writePaths(ledger.dir, keys, end) : 0;
  const [first] = keys;
  const blocks = first === undefined ? [] : [{ first, keys: () => keys }];
  return { sorted: { blocks, changes: new Map() }, end, room_bytes };
}
