// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Keeps `held` up to date: with every commit that changes who holds what (the ledger's lock is held then, so no two
 * processes write it at once), when something in it may have ended by itself, and as a whole when a session starts.
 * Whatever fails here never fails a commit: then there is no `held`, and commands run unfenced until the next hook or start that can
 * make it.
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

/** A ledger under its lock: any key may be asked for. */
export interface FenceSource {
  readonly now: Now;
  readonly get: (key: Key) => Json | undefined;
}

/**
 * Around a commit.
 * @param append adds the records; false: they are there, and `source` does not know it
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

/** Cheap, and most often false. */
export function isDue(state_dir: string, now: Now): boolean {
  if (isLate(state_dir)) return true;
  const due = dueOf(textOrEmpty(heldFile(state_dir)));
  return due !== null && (due.boot !== now.boot || now.mono_ms >= due.mono_ms);
}

/** `view` of everything, under the ledger's lock. */
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

/** Deriving so many takes 0.2 s under the ledger's lock; of more, what every commit kept up to date is believed. */
const DERIVED_MOST = 3_000;

/** As a whole. `view` of everything, under the ledger's lock. */
export function holdAll(state_dir: string, view: View, now: Now): void {
  settling(state_dir, (on) => {
    const before = heldIn(state_dir);
    const isKept = before?.due.boot === now.boot && before.entries.length > DERIVED_MOST;
    if (isKept) dropEnded(state_dir, view, now);
    else writeAll(state_dir, on, view, { now });
  });
}

/** What nothing kept up to date: no commit on a ledger that machines share comes by here, least of all those of the others. */
export function holdShared(state_dir: string, view: View, judge: Judge): void {
  settling(state_dir, (on) => writeAll(state_dir, on, view, judge));
}

function writeAll(state_dir: string, on: FenceOn, view: View, judge: Judge): void {
  const facts = factsOf(on, judge);
  write(state_dir, on, { changes: changesOver(view), facts }, allEntries(view, facts, fencePlaces(on.repo)));
}

/** The ledger's states, and the moment at which they are judged. */
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

/** Of the checkouts in which something is held. */
function rootsOf({ repo }: FenceOn, entries: readonly Entry[]): readonly string[] {
  const { path } = fencePlaces(repo);
  const scopes = entries.map(({ key }) => /^path:(\/\/[^/]+\/)/.exec(key)?.[1] ?? '');
  return [...new Set(['', ...scopes])].flatMap((scope) => path(`${scope}.`) ?? []);
}

/** Whether it was done. */
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
 * What cannot be taken away either (a directory that may not be written) stays, and so does the mark that it is late. The
 * records are in the ledger: a commit that is there must not be answered as one that failed.
 */
const drop = (state_dir: string): void =>
  attempt(() => rmSync(heldFile(state_dir), { force: true }), undefined);

const viewOf = ({ get }: FenceSource): View => ({ get, range: () => [], next: 0 });
