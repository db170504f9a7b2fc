/** A file that turned up under another name with exactly the content that is looked for: what `mv` leaves. Bounded. */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt, unlessRefused } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import type { Digest } from '../core/types.ts';
import { monotonic } from './clock.ts';
import { digestFile } from './digest.ts';

export interface WantedContent {
  readonly digest: Digest;
  /** Base name of the file that is gone: of several with its content the one that kept it is meant. */
  readonly name: string;
  /** Wall clock. A rename changes a file's ctime: what is older was there before. */
  readonly seen_ms: number;
  /** Of monotonic(). */
  readonly until_ms: number;
}

const ENTRIES = 20_000;
const FILE_BYTES = 4 << 20;
const TOTAL_BYTES = 32 << 20;
/** Much is in there, and nobody moves work there. */
const PASSED_BY = new Set(['.git', 'node_modules', '.guard']);
/** Of an empty file: any other one has the same. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Absolute; null: none, or several with no telling which. */
export function sameContent(root: string, wanted: WantedContent): string | null {
  if (wanted.digest === EMPTY) return null;
  const found = [...filesSince(root, wanted)].filter((file) => isSame(file, wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const kept = found.filter((file) => basename(file) === wanted.name);
  return kept.length === 1 ? (kept[0] ?? null) : null;
}

const isOver = ({ until_ms }: WantedContent): boolean => monotonic() > until_ms;

/** Breadth first: near the root before deep below. */
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

/** Removed meanwhile, or not for us to read. */
const entriesOf = (dir: string): readonly Dirent[] =>
  attempt(() => readdirSync(dir, { withFileTypes: true }), []);

const isSame = (file: string, wanted: WantedContent): boolean =>
  digestUntil(file, wanted.until_ms) === wanted.digest;

/** Null too for a file that does not stand still, a growing log say, and where time is up. @param until_ms of monotonic() */
export const digestUntil = (file: string, until_ms: number): Digest | null =>
  unlessRefused(
    () => digestFile(file, { deadline: () => stopAfter(until_ms) }).digest,
    () => null,
  );

function stopAfter(until_ms: number): void {
  if (monotonic() > until_ms) throw new GuardError('GUARD_ERR_DEADLINE', 'Time is up.', 'Nobody is told.');
}

/** Removed meanwhile, or in a directory that may be listed and not entered. */
const statOf = (path: string): Stats | null => attempt(() => lstatSync(path), null);
