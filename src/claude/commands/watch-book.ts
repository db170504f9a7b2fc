/**
 * What an agent's hooks last saw of the files that concern it: `watch/<agent>.book`. For each file it has the stat key and
 * the digest of the content that is accounted for: the one that the agent knows (its baseline), or the one that was there
 * when its lock was taken. Only this agent's hooks write it; if it is lost, it is rebuilt from what is on disk.
 */
import { parsedObject } from '../../core/json-object.ts';
import { attempt } from '../../core/attempt.ts';
import fs from 'node:fs';
import { COARSE_MS } from '../../core/drift.ts';
import type { AgentId, Digest, RepoPath } from '../../core/types.ts';
import { type Stamp, stampOf } from '../../repo/stat-key.ts';
import { textOf } from '../../repo/small-file.ts';
import { fileName } from '../../workspace/baseline-file.ts';
import { seenBy, seenFile } from '../../workspace/seen.ts';
import { readSlots, type Slot, writeSlots } from '../../workspace/two-slots.ts';
import { WATCHED_MAX } from './live-holds.ts';

export interface WatchEntry {
  /** '' if it is not known to belong to the digest; the file is then compared by its content. */
  key: string;
  /** Null: there was no file. Undefined: only its key is known, its content has not been read yet. */
  digest: Digest | null | undefined;
  /** The mark of the corresponding baseline; '' if the agent has none. */
  base: string;
  /** The time of that baseline in milliseconds; if there are too many, the newest are kept. */
  at_ms: number;
}

export interface Book {
  readonly files: Map<RepoPath, WatchEntry>;
  /** When all of it was last compared. */
  looked_ms: number;
  /** The stat key of the file of baselines. */
  dir_key: string;
  changed: boolean;
  /** Where it was read from. Null: from nowhere, or from what an earlier guard wrote. */
  readonly slot: Slot | null;
}

/** 1,000 entries take about 300 KB. */
const MAX_BYTES = 4 << 20;

const dirOf = (state_dir: string): string => `${state_dir}/watch`;
const nameOf = (agent: AgentId): string => `${fileName(agent)}.book`;
const bookOf = (state_dir: string, agent: AgentId): string => `${dirOf(state_dir)}/${nameOf(agent)}`;
/** Of guard 0.1. */
const oldBookOf = (state_dir: string, agent: AgentId): string =>
  `${dirOf(state_dir)}/${fileName(agent)}.json`;

export function readBook(state_dir: string, agent: AgentId): Book {
  const slot = readSlots(bookOf(state_dir, agent), MAX_BYTES);
  const fresh: Book = { files: new Map(), looked_ms: 0, dir_key: '', changed: false, slot };
  const text = slot === null ? textOf(oldBookOf(state_dir, agent), MAX_BYTES) : slot.text;
  const { v, looked_ms, dir_key, files } = parsedObject(text);
  if (v !== 1 || typeof looked_ms !== 'number' || typeof dir_key !== 'string') return fresh;
  if (!Array.isArray(files) || !files.every(isRow)) return fresh;
  const entries = files.map(([path, key, digest, base, at_ms]): [RepoPath, WatchEntry] => [
    path,
    { key, digest: digest === 0 ? undefined : digest, base, at_ms },
  ]);
  return { ...fresh, looked_ms, dir_key, files: new Map(entries) };
}

type Row = readonly [path: RepoPath, key: string, digest: Digest | null | 0, base: string, at_ms: number];

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false;
  const [path, key, digest, base, at_ms] = row as unknown[];
  const isText = typeof path === 'string' && typeof key === 'string' && typeof base === 'string';
  return (
    isText && typeof at_ms === 'number' && (digest === null || digest === 0 || typeof digest === 'string')
  );
}

/** If it cannot be written, the files are compared again next time. */
export function writeBook(state_dir: string, agent: AgentId, book: Book): void {
  const { files, looked_ms, dir_key, slot } = book;
  const rows = [...files].map(([path, { key, digest, base, at_ms }]): Row => [
    path,
    key,
    digest === undefined ? 0 : digest,
    base,
    at_ms,
  ]);
  const text = JSON.stringify({ v: 1, looked_ms, dir_key, files: rows });
  attempt(() => {
    writeSlots(dirOf(state_dir), nameOf(agent), text, slot);
    if (slot === null) fs.rmSync(oldBookOf(state_dir, agent), { force: true });
  }, undefined);
}

interface Refreshing {
  readonly state_dir: string;
  readonly agent: AgentId;
  readonly now_ms: number;
  /** The absolute name of a path. */
  readonly spelled: (path: RepoPath) => string;
}

/**
 * A file last changed this long before its baseline was written is the file that the baseline describes. A file may be written
 * between its digest and that line (some 100 ms on a busy machine), and content that was never compared would count as seen.
 */
const SEEN_MS = 1_000;

/** Takes in new baselines; if there are none, this costs one stat. */
export function learnBaselines(book: Book, { state_dir, agent, now_ms, spelled }: Refreshing): void {
  const stamp = stampOf(seenFile(state_dir, agent));
  if (stamp.key === book.dir_key) return;
  let looked = 0;
  for (const { path, baseline, at_ms, mark: base } of seenBy(state_dir, agent)) {
    if (looked++ === WATCHED_MAX) break;
    if (book.files.get(path)?.base === base) continue;
    if (baseline.knows === 'content' && baseline.digest !== null) {
      const now = stampOf(spelled(path));
      const isOf = now.ctime_ms !== null && now.ctime_ms <= at_ms - SEEN_MS;
      book.files.set(path, { key: isOf ? settled(now, now_ms) : '', digest: baseline.digest, base, at_ms });
    } else book.files.delete(path);
    book.changed = true;
  }
  // Two changes within one tick of the kernel's clock may look like one.
  book.dir_key = now_ms - (stamp.mtime_ms ?? 0) > COARSE_MS ? stamp.key : '';
  book.changed = true;
}

/** The key, or '' if the file changed so recently that its next change may have the same times. */
export const settled = ({ key, ctime_ms }: Stamp, now_ms: number): string =>
  ctime_ms !== null && now_ms - ctime_ms < COARSE_MS ? '' : key;

/** First the files that the agent knows, then held files near them. */
export function learnHolds(book: Book, held: ReadonlySet<RepoPath>, { now_ms, spelled }: Refreshing): void {
  for (const [path, { base }] of book.files)
    if (base === '' && !held.has(path)) book.changed = book.files.delete(path);
  for (const path of held) {
    if (book.files.size >= WATCHED_MAX) break;
    if (book.files.has(path)) continue;
    const now = stampOf(spelled(path));
    book.files.set(path, {
      key: settled(now, now_ms),
      digest: now.key === '' ? null : undefined,
      base: '',
      at_ms: now_ms,
    });
    book.changed = true;
  }
}

/** Drops the oldest entries if there are too many. */
export function trim(book: Book): void {
  if (book.files.size <= WATCHED_MAX) return;
  const oldest = [...book.files]
    .sort(([, a], [, b]) => a.at_ms - b.at_ms)
    .slice(0, book.files.size - WATCHED_MAX);
  for (const [path] of oldest) book.files.delete(path);
}

/** Removes the book of an agent that is gone. */
export function dropBook(state_dir: string, agent: AgentId): void {
  for (const file of [bookOf(state_dir, agent), oldBookOf(state_dir, agent)])
    fs.rmSync(file, { force: true });
}
