/**
 * The sorted keys of all paths, as of now: read from the file `paths` and brought up to date with the records since.
 * Taking a lock never pays for this. The file has only keys; if anything is wrong, it is rebuilt from the index.
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

/** Rebuilding a longer list takes too long under the ledger's lock. */
const PATHS_MAX = 131_072;
/** Changes up to this size are read again by each listing instead of being written: 0.5 ms per 4 KB in a cold process. */
const UNWRITTEN_BYTES = 4 * 1024;
/** If the list is further behind than this, rebuilding it from the index is faster. */
const BEHIND_MAX_BYTES = 8 * 1024 * 1024;

/** A page of keys below a prefix that begins with `path:`, in order; null if no sorted list is available. */
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

/** The stored list, if it belongs to this ledger and is not too far behind. */
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

/** Undefined if a record in between is not valid. */
function caughtUp(ledger: LedgerFiles, known: StoredPaths): StoredPaths | undefined {
  const { sorted } = known;
  const before = known.end.applied;
  const end = endOf(ledger);
  if (before === end.applied) return known;
  const touched = keysSince(ledger, PATHS, before);
  if (touched === undefined) return undefined;
  for (const [key, isThere] of touched) learnKey(sorted, key, isThere);
  if (!ledger.writable) return { ...known, end };
  // `end` does not advance, so the next addition begins here even if other processes add in the meantime.
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

/** Rebuilds the list from the index; undefined if there are too many keys. */
function anew(ledger: LedgerFiles): StoredPaths | undefined {
  const slots = slotsBelow(ledger, PATHS, 0);
  const count = [...slots.values()].reduce((sum, prints) => sum + prints.length, 0);
  if (count > PATHS_MAX) return undefined;
  const keys = [...slots].flatMap(([lsn, prints]) => {
    const line = lineAt(ledger, lsn);
    const record = skimRecord(line, 0, line.length);
    // Whoever reads that record reports what is wrong with it.
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
