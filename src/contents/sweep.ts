/**
 * Keeps the store within its limits, outside any hook: removes leftover temporary files and old contents, compresses the
 * rest, and if that is still too much, removes the oldest first.
 */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Digest } from '../core/types.ts';
import type { UndoLimits } from '../core/undo-limits.ts';
import { contentsDir, type EntryName, entryOf, PACKED } from './entry.ts';
import { namesIn } from '../repo/names-in.ts';
import { replaceWhole } from '../repo/replace-whole.ts';

export interface SweepReport {
  readonly entries: number;
  readonly bytes: number;
  readonly removed: number;
  readonly packed: number;
}

export interface SweepOptions {
  readonly limits: UndoLimits;
  readonly wall_ms: number;
  /** Contents that working agents may still need: removed last. Only read if something is to be removed. */
  readonly spared: ReadonlySet<Digest>;
}

interface Entry extends EntryName {
  readonly file: string;
  readonly bytes: number;
  readonly mtime_ms: number;
}

/** A writer that takes longer is dead. */
const ASIDE_MS = 3_600_000;
/** Leaves contents alone that may just be being written. */
const FRESH_MS = 60_000;
/** Smaller ones take one disk block either way. */
const PACKED_BYTES_MIN = 4_096;

export function sweepContents(state_dir: string, options: SweepOptions): SweepReport {
  const { limits, wall_ms } = options;
  const dir = contentsDir(state_dir);
  const before = entriesIn(dir, wall_ms);
  const isOld = ({ digest, mtime_ms }: Entry): boolean =>
    !limits.enabled || (wall_ms - mtime_ms > limits.max_age_ms && !options.spared.has(digest));
  const old = before.filter(isOld);
  const young = before.filter((entry) => !isOld(entry));
  const kept = young.map((entry) => (isWorthPacking(entry, wall_ms) ? packed(entry) : entry));
  const excess = tooMuch(kept, limits.max_bytes, options);
  for (const { file } of [...old, ...excess]) fs.rmSync(file, { force: true });
  const left = kept.filter((entry) => !excess.includes(entry));
  return {
    entries: left.length,
    bytes: sum(left),
    removed: old.length + excess.length,
    packed: kept.filter((entry, at) => entry !== young[at]).length,
  };
}

/** The number of entries in the store, and their size in bytes. */
export function sizeOfContents(state_dir: string): Pick<SweepReport, 'entries' | 'bytes'> {
  const entries = entriesIn(contentsDir(state_dir), null);
  return { entries: entries.length, bytes: sum(entries) };
}

const sum = (entries: readonly Entry[]): number => entries.reduce((total, { bytes }) => total + bytes, 0);

/** @param wall_ms if given, old temporary files are removed */
function entriesIn(dir: string, wall_ms: number | null): Entry[] {
  return namesIn(dir).flatMap((name) => {
    const file = `${dir}/${name}`;
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() !== true) return [];
    const entry = entryOf(name);
    if (entry !== null) return [{ ...entry, file, bytes: stat.size, mtime_ms: stat.mtimeMs }];
    if (wall_ms !== null && wall_ms - stat.mtimeMs > ASIDE_MS) fs.rmSync(file, { force: true });
    return [];
  });
}

const isWorthPacking = ({ is_packed, bytes, mtime_ms }: Entry, wall_ms: number): boolean =>
  !is_packed && bytes >= PACKED_BYTES_MIN && wall_ms - mtime_ms > FRESH_MS;

/** The same entry if it cannot be made smaller. */
const packed = (entry: Entry): Entry =>
  attempt(() => {
    const zlib = process.getBuiltinModule('node:zlib');
    const small = zlib.deflateRawSync(fs.readFileSync(entry.file), { level: 6 });
    if (small.length >= entry.bytes) return entry;
    const file = entry.file + PACKED;
    replaceWhole(file, small);
    fs.utimesSync(file, entry.mtime_ms / 1000, entry.mtime_ms / 1000);
    fs.rmSync(entry.file, { force: true });
    return { ...entry, file, bytes: small.length, is_packed: true };
  }, entry);

/** Oldest first, and contents that working agents may need after everything else. */
function tooMuch(
  entries: readonly Entry[],
  max_bytes: number,
  options: Pick<SweepOptions, 'spared'>,
): Entry[] {
  let over = sum(entries) - max_bytes;
  if (over <= 0) return [];
  const { spared } = options;
  const rank = ({ digest }: Entry): number => (spared.has(digest) ? 1 : 0);
  const order = entries.toSorted((a, b) => rank(a) - rank(b) || a.mtime_ms - b.mtime_ms);
  const out: Entry[] = [];
  for (const entry of order) {
    if (over <= 0) break;
    out.push(entry);
    over -= entry.bytes;
  }
  return out;
}
