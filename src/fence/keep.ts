// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Keeps `held` up to date: with every commit that changes who holds what (under the ledger's lock, so no two processes
 * write it at the same time), when something in it may have ended without a record, and completely when a session
 * starts. A failure here never fails a commit: `held` is then removed, and commands run unfenced until the next hook or
 * session start that can rebuild it.
 */
import { rmSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { AGENTS, GLOBS, PATHS } from '../core/keys.ts';
import type { Json, Key, RecordBody, View } from '../core/ledger.ts';
import { type Changes, changesOver } from '../core/states.ts';
import type { Facts, Now } from '../core/types.ts';
import { gitDirsIn } from '../repo/clones.ts';
import { factsOf, type Judge } from './facts.ts';
import { dueOf, type Entry, formatHeld, type HeldList, parseHeld } from './held.ts';
import { clearLate, isLate, markLate } from './late.ts';
import { allEntries, entriesOf, nextLook, stillLive } from './live.ts';
import { fencePlaces } from './places.ts';
import { type FenceOn, heldFile, readOn, replace, textOrEmpty } from './site.ts';
import { syncSoon } from './sync.ts';

/** A ledger under its lock, in which any key can be looked up. */
export interface FenceSource {
  readonly now: Now;
  readonly get: (key: Key) => Json | undefined;
}

/**
 * Call around a commit.
 * @param append adds the records; returns false if they were added but `source` does not include them
 */
export function noteCommit(
  state_dir: string,
  bodies: readonly RecordBody[],
  source: FenceSource,
  append: () => boolean,
): void {
  const isRepair = isLate(state_dir);
  if (!isRepair) markLate(state_dir);
  if (append() && settleCommit(state_dir, bodies, source) && !isRepair) clearLate(state_dir);
}

function settleCommit(state_dir: string, bodies: readonly RecordBody[], source: FenceSource): boolean {
  return settling(state_dir, (on) => {
    const before = heldIn(state_dir);
    if (before === null) return;
    const keys = [...new Set(bodies.flatMap(({ s }) => Object.keys(s)))];
    const changed = new Set(keys.filter((key) => key.startsWith(PATHS) || key.startsWith(GLOBS)));
    const changes = changesOver(viewOf(source));
    const facts = factsOf(on, source);
    const places = fencePlaces(on.repo);
    const others = before.entries.filter(({ key }) => !changed.has(key));
    const rest = keys.some((key) => key.startsWith(AGENTS)) ? stillLive(others, changes, facts) : others;
    const added = [...changed].flatMap((key) => entriesOf(key, changes, facts, places));
    write(state_dir, on, { changes, facts }, [...rest, ...added]);
  });
}

const heldIn = (state_dir: string): HeldList | null => parseHeld(textOrEmpty(heldFile(state_dir)));

/** Cheap, and usually false. */
export function isDue(state_dir: string, now: Now): boolean {
  if (isLate(state_dir)) return true;
  const due = dueOf(textOrEmpty(heldFile(state_dir)));
  return due !== null && (due.boot !== now.boot || now.mono_ms >= due.mono_ms);
}

/** `view` must cover everything, under the ledger's lock. */
export function dropEnded(state_dir: string, view: View, now: Now): void {
  if (isLate(state_dir)) {
    if (settling(state_dir, (on) => writeAll(state_dir, on, view, { now }))) clearLate(state_dir);
    return;
  }
  settling(state_dir, (on) => {
    const before = heldIn(state_dir);
    if (before === null) return;
    const [changes, facts] = [changesOver(view), factsOf(on, { now })];
    if (before.due.boot !== now.boot) writeAll(state_dir, on, view, { now });
    else write(state_dir, on, { changes, facts }, stillLive(before.entries, changes, facts));
  });
}

/** Deriving this many takes 0.2 s under the ledger's lock; a longer list is trusted, as every commit has kept it up to date. */
const DERIVED_MOST = 3_000;

/** Rebuilds the list completely. `view` must cover everything, under the ledger's lock. */
export function holdAll(state_dir: string, view: View, now: Now): void {
  settling(state_dir, (on) => {
    const before = heldIn(state_dir);
    const isKept = before?.due.boot === now.boot && before.entries.length > DERIVED_MOST;
    if (isKept) dropEnded(state_dir, view, now);
    else writeAll(state_dir, on, view, { now });
  });
}

/** For a shared ledger, whose commits do not update the list, least of all those of other machines. */
export function holdShared(state_dir: string, view: View, judge: Judge): void {
  settling(state_dir, (on) => writeAll(state_dir, on, view, judge));
}

function writeAll(state_dir: string, on: FenceOn, view: View, judge: Judge): void {
  const facts = factsOf(on, judge);
  write(state_dir, on, { changes: changesOver(view), facts }, allEntries(view, facts, fencePlaces(on.repo)));
}

/** The ledger's states, and the facts to evaluate them with. */
interface Judged {
  readonly changes: Changes;
  readonly facts: Facts;
}

function write(state_dir: string, on: FenceOn, { changes, facts }: Judged, entries: readonly Entry[]): void {
  const { repo } = on;
  const writable = [...new Set([state_dir, ...gitDirsIn(repo)])];
  const due = { mono_ms: nextLook(entries, changes, facts), boot: facts.now.boot };
  const text = formatHeld({ entries, due, writable, roots: rootsOf(on, entries) });
  if (replace(heldFile(state_dir), text)) syncSoon(state_dir, on);
}

/** Roots of the checkouts in which something is held. */
function rootsOf({ repo }: FenceOn, entries: readonly Entry[]): readonly string[] {
  const { path } = fencePlaces(repo);
  const scopes = entries.map(({ key }) => /^path:(\/\/[^/]+\/)/.exec(key)?.[1] ?? '');
  return [...new Set(['', ...scopes])].flatMap((scope) => path(`${scope}.`) ?? []);
}

/** Returns whether it succeeded. */
function settling(state_dir: string, settle: (on: FenceOn) => void): boolean {
  try {
    const on = readOn(state_dir);
    if (on !== null) settle(on);
    return true;
  } catch {
    drop(state_dir);
    return false;
  }
}

/**
 * If the list cannot be removed either (a read-only directory), it stays, and so does the mark that it is late. The
 * records are in the ledger, and a commit that has succeeded must not be reported as failed.
 */
const drop = (state_dir: string): void =>
  attempt(() => rmSync(heldFile(state_dir), { force: true }), undefined);

const viewOf = ({ get }: FenceSource): View => ({ get, range: () => [], next: 0 });
