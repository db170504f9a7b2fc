/**
 * Waiting for locks. Files in canonical order, each with its own timeout, those that were got are kept (`all`: one
 * timeout, one transaction). Whatever ends the wait, its edge and its tickets end with it.
 */
import { agentKey, pathKey, waitKey } from '../core/keys.ts';
import type { Key, LedgerRecord } from '../core/ledger.ts';
import { asProfile, profileKey } from '../core/profiles.ts';
import type { AcquireResult } from '../core/rules/acquire.ts';
import type { AgentId } from '../core/types.ts';
import { hangBell } from './bell.ts';
import type { Bell } from './bell.ts';
import { withChanges } from './changed.ts';
import type { LockLedger } from './ledger.ts';
import { locateAll } from './located.ts';
import type { LocatedPath } from './located.ts';
import { answerOf, noteOn } from './rows.ts';
import type { Acquired } from './rows.ts';
import { acquire } from './try.ts';
import type { AcquireOptions, Caller } from './try.ts';

export interface WaitOptions extends AcquireOptions {
  /** For each file; with `all` for all of them. */
  readonly timeout_ms: number;
}

/** What somebody who watches a wait may be shown. */
export interface Waiting {
  readonly filepaths: readonly string[];
  readonly holders: readonly AgentId[];
  readonly left_ms: number;
  /** What is known of a deadlock that this wait is part of. */
  readonly note: string | null;
}

export interface Around {
  readonly signal: AbortSignal;
  /** Called when the wait begins, at every look, and at least once a second. */
  readonly onWaiting?: (waiting: Waiting) => void;
}

/** Dead holders and leases that end in silence leave no record, so somebody has to look. */
const LOOK_MS = 1_000;

export async function waitForLocks(
  ledger: LockLedger,
  caller: Caller,
  given: readonly string[],
  options: WaitOptions,
  around: Around,
): Promise<Acquired> {
  const located = locateAll(ledger, given);
  const groups = options.all ? [located] : located.map((row) => [row]);
  const wait = startWait(ledger, caller, options, around);
  const results: AcquireResult[] = [];
  try {
    for (const group of groups) {
      if (wait.end() !== null) break;
      results.push(...(await wait.forAll(group)));
    }
  } finally {
    wait.close();
  }
  const speaker = { me: caller.who.id, release: caller.release };
  const answer = answerOf(located, results, wait.end() ?? 'timeout', speaker);
  const told = withChanges(ledger, caller.who.id, located, answer);
  // Who goes on after a deadlock should know why it took so long.
  const notes = [...new Set([...wait.notes, ...(told.notes ?? [])])];
  return notes.length === 0 ? told : { ...told, notes };
}

interface Wait {
  forAll(group: readonly LocatedPath[]): Promise<readonly AcquireResult[]>;
  /** Why no further file is waited for; null: go on. */
  end(): 'cancelled' | 'DEADLOCK' | null;
  /** What was to be said of deadlocks meanwhile. */
  readonly notes: ReadonlySet<string>;
  close(): void;
}

function startWait(ledger: LockLedger, caller: Caller, options: WaitOptions, around: Around): Wait {
  const { who } = caller;
  const { signal, onWaiting } = around;
  let bell: Bell | null = null;
  let is_victim = false;
  let has_left = false;
  const isCancelled = (): boolean => signal.aborted || has_left;
  const notes = new Set<string>();
  const listen = (): boolean => {
    if (bell !== null) return false;
    bell = hangBell(ledger.store, signal);
    return true;
  };
  return {
    notes,
    async forAll(group) {
      const began_mono_ms = ledger.facts().now.mono_ms;
      const until_mono_ms = began_mono_ms + options.timeout_ms;
      for (;;) {
        const results = acquire(ledger, who, group, options, until_mono_ms);
        const blocked = results.filter(({ acquired }) => !acquired);
        is_victim ||= results.some(({ error }) => error === 'DEADLOCK');
        if (blocked.length === 0 || is_victim) return results;
        const left_ms = until_mono_ms - ledger.facts().now.mono_ms;
        has_left ||= leftSince(ledger, who.id, began_mono_ms);
        if (isCancelled() || left_ms <= 0) {
          const paths = blocked.map(({ path }) => path);
          ledger.run({ type: 'lock.unwait', who, paths, cause: isCancelled() ? 'cancelled' : 'timeout' });
          return results;
        }
        const waiting = waitingFor(group, blocked, left_ms, caller);
        if (waiting.note !== null) notes.add(waiting.note);
        onWaiting?.(waiting);
        // What was committed between the look and the first listening would be missed: look again.
        if (!listen()) await bell?.rung(concernedBy(who.id, results), Math.min(left_ms, LOOK_MS));
      }
    },
    end: () => (is_victim ? 'DEADLOCK' : isCancelled() ? 'cancelled' : null),
    close: () => bell?.close(),
  };
}

/** Whether the waiter left meanwhile, by a command beside this one. */
function leftSince(ledger: LockLedger, id: AgentId, since_mono_ms: number): boolean {
  const key = profileKey(id);
  const { left } = asProfile(ledger.store.readSync([key]).get(key));
  return left !== undefined && left.boot === ledger.facts().now.boot && left.mono_ms >= since_mono_ms;
}

/** A change of what is waited for, of those who are in the way, or a verdict on the waiter. */
function concernedBy(me: AgentId, results: readonly AcquireResult[]): (record: LedgerRecord) => boolean {
  const keys = new Set<Key>([waitKey(me)]);
  for (const { path, holders } of results) {
    keys.add(pathKey(path));
    for (const holder of holders) keys.add(agentKey(holder));
  }
  return (record) => Object.keys(record.s).some((key) => keys.has(key));
}

function waitingFor(
  group: readonly LocatedPath[],
  blocked: readonly AcquireResult[],
  left_ms: number,
  { who, release }: Caller,
): Waiting {
  const paths = blocked.map(({ path }) => path);
  const dead = blocked.flatMap(({ deadlock }) => deadlock ?? [])[0];
  return {
    filepaths: group.flatMap(({ given, path }) => (path !== null && paths.includes(path) ? [given] : [])),
    holders: [...new Set(blocked.flatMap(({ holders }) => holders))],
    left_ms,
    note: dead === undefined ? null : noteOn(dead, { me: who.id, release }),
  };
}
