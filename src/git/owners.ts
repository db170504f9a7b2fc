/**
 * Which agent created a stash entry or a commit: git itself only knows names that all agents share. Derived from what
 * git's own logs gained while a command of that agent ran, and stored next to the ledger by object id.
 */
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parsedObject } from '../core/json-object.ts';
import type { AgentId } from '../core/types.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { readSmallFile, textOf } from '../repo/small-file.ts';
import type { GitCheckout } from './place.ts';
import { stackOf } from './stack.ts';

/** The state before a command runs, as plain data that the caller keeps until the command has ended. */
export interface GitMarks {
  readonly git_dir: string;
  readonly common_dir: string;
  /** Ids of the newest entries. */
  readonly stash: readonly string[];
  /** Length of `logs/HEAD`; 0: there is none. */
  readonly head_bytes: number;
}

export interface Made {
  readonly id: string;
  readonly agent: AgentId;
  /** True if its command was one that creates such objects; false if the object merely appeared while the command ran. */
  readonly is_sure: boolean;
}

const STASH_MARKS = 64;
const LOG_BYTES = 8 << 20;

export function gitMarks({ git_dir, common_dir }: Pick<GitCheckout, 'git_dir' | 'common_dir'>): GitMarks {
  const stash = stackOf(common_dir)
    .slice(0, STASH_MARKS)
    .map(({ id }) => id);
  return { git_dir, common_dir, stash, head_bytes: sizeOf(join(git_dir, 'logs', 'HEAD')) };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reflog messages of commits that were created, not just checked out. */
const MAKES = /\t(?:commit|cherry-pick|revert|am|rebase|merge [^\n]*: Merge made)/;

/** The objects created since. */
export function madeSince(before: GitMarks): readonly string[] {
  const known = new Set(before.stash);
  const entries = stackOf(before.common_dir).slice(0, STASH_MARKS);
  const stashed = entries.map(({ id }) => id).filter((id) => !known.has(id));
  // If the list was full before, entries that were dropped may have exposed older ones at its end.
  const isCut = before.stash.length === STASH_MARKS;
  return [...(isCut ? stashed.slice(0, 1) : stashed), ...commitsSince(before)];
}

function commitsSince({ git_dir, head_bytes }: GitMarks): readonly string[] {
  const file = join(git_dir, 'logs', 'HEAD');
  if (sizeOf(file) <= head_bytes) return [];
  const text = textOf(file, LOG_BYTES);
  if (text === null) return [];
  const added = Buffer.from(text).subarray(head_bytes).toString();
  return added
    .split('\n')
    .filter((line) => MAKES.test(line))
    .flatMap((line) => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? []);
}

export const OWNERS_FILE = 'git-owners.jsonl';
const MOST_BYTES = 1 << 20;

/** By object id. Null: several agents may have made it. */
export function ownersIn(state_dir: string): ReadonlyMap<string, AgentId | null> {
  const found = new Map<string, Made & { readonly is_several: boolean }>();
  const file = readSmallFile(join(state_dir, OWNERS_FILE), 2 * MOST_BYTES);
  for (const line of file.state === 'text' ? file.text.split('\n') : []) {
    const made = madeIn(line);
    const before = made === null ? undefined : found.get(made.id);
    if (made === null || (before?.is_sure === true && !made.is_sure)) continue;
    const isSame = before === undefined || before.agent === made.agent || (made.is_sure && !before.is_sure);
    found.set(made.id, { ...made, is_several: !isSame });
  }
  return new Map([...found].map(([id, { agent, is_several }]) => [id, is_several ? null : agent]));
}

function madeIn(line: string): Made | null {
  const { id, agent, sure } = parsedObject(line);
  return typeof id === 'string' && typeof agent === 'string' ? { id, agent, is_sure: sure === true } : null;
}

/** Appends of less than 4 KB are atomic, even with concurrent writers. Above its size limit, the file loses its older half. */
export function recordOwners(state_dir: string, made: readonly Made[]): void {
  if (made.length === 0) return;
  const file = join(state_dir, OWNERS_FILE);
  const text = made
    .map(({ id, agent, is_sure }) => `${JSON.stringify({ id, agent, sure: is_sure })}\n`)
    .join('');
  if (sizeOf(file) + text.length > MOST_BYTES) halve(file);
  appendFileSync(file, text, { mode: 0o600 });
}

function halve(file: string): void {
  const kept = (textOf(file, 2 * MOST_BYTES) ?? '').split('\n').filter((line) => madeIn(line) !== null);
  const newer = kept.slice(kept.length / 2);
  replaceWhole(file, newer.map((line) => `${line}\n`).join(''));
}
