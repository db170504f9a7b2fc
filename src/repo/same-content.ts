/** Looks for a file under another name with exactly the given content, as `mv` leaves it. Bounded. */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt, unlessRefused } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import type { Digest } from '../core/types.ts';
import { monotonic } from './clock.ts';
import { digestFile } from './digest.ts';

export interface WantedContent {
  readonly digest: Digest;
  /** Base name of the missing file: if several files have its content, the one with the same name is chosen. */
  readonly name: string;
  /** Wall clock time. A rename changes a file's ctime, so older files were there before. */
  readonly seen_ms: number;
  /** On the clock of monotonic(). */
  readonly until_ms: number;
}

const ENTRIES = 20_000;
const FILE_BYTES = 4 << 20;
const TOTAL_BYTES = 32 << 20;
/** Large directories to which no one moves work. */
const PASSED_BY = new Set(['.git', 'node_modules', '.guard']);
/** The digest of an empty file, which matches every other empty file. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Absolute path; null if there is none, or several that cannot be told apart. */
export function sameContent(root: string, wanted: WantedContent): string | null {
  if (wanted.digest === EMPTY) return null;
  const found = [...filesSince(root, wanted)].filter((file) => isSame(file, wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const kept = found.filter((file) => basename(file) === wanted.name);
  return kept.length === 1 ? (kept[0] ?? null) : null;
}

const isOver = ({ until_ms }: WantedContent): boolean => monotonic() > until_ms;

/** Breadth first, so that files near the root come before deeply nested ones. */
function* filesSince(root: string, wanted: WantedContent): Generator<string> {
  const dirs = [root];
  let entries = 0;
  let bytes = 0;
  for (const dir of dirs) {
    for (const entry of entriesOf(dir)) {
      if (++entries > ENTRIES || isOver(wanted)) return;
      const path = join(dir, entry.name);
      if (entry.isDirectory() && !PASSED_BY.has(entry.name)) dirs.push(path);
      if (!entry.isFile()) continue;
      const stat = statOf(path);
      if (stat === null || stat.ctimeMs < wanted.seen_ms || stat.size > FILE_BYTES) continue;
      bytes += stat.size;
      if (bytes > TOTAL_BYTES) return;
      yield path;
    }
  }
}

/** Empty if it was removed meanwhile or may not be read. */
const entriesOf = (dir: string): readonly Dirent[] =>
  attempt(() => readdirSync(dir, { withFileTypes: true }), []);

const isSame = (file: string, wanted: WantedContent): boolean =>
  digestUntil(file, wanted.until_ms) === wanted.digest;

/** Also null for a file that keeps changing, such as a growing log, and when time has run out. @param until_ms of monotonic() */
export const digestUntil = (file: string, until_ms: number): Digest | null =>
  unlessRefused(
    () => digestFile(file, { deadline: () => stopAfter(until_ms) }).digest,
    () => null,
  );

function stopAfter(until_ms: number): void {
  if (monotonic() > until_ms) throw new GuardError('GUARD_ERR_DEADLINE', 'Time is up.', 'Nobody is told.');
}

/** Null if it was removed meanwhile, or is in a directory that may be listed but not entered. */
const statOf = (path: string): Stats | null => attempt(() => lstatSync(path), null);
