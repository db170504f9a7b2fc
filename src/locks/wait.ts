/**
 * Waiting for locks. Files in canonical order, each with its own timeout, those that were got are kept (`all`: one
 * timeout, one transaction). Whatever ends the wait, its edge and its tickets end with it.
 */
import type { AcquireEvent, AcquireResult } from '../core/rules/acquire.ts';
import type { WaitFor } from '../core/rules/prospect.ts';
import type { AgentId, ProcessMark } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';
import { operate } from '../store/operate.ts';
import { whileBusy } from '../store/patience.ts';
import { isBusy } from '../core/is-busy.ts';
import { withChanges } from './changed.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { locateAll, type LocatedPath } from './located.ts';
import { type Acquired, answerOf, noteOn, type RowSpeaker, type SayRelease } from './rows.ts';
import type { Looked } from './look.ts';
import type { AcquireOptions } from './try.ts';
import type { Waiter, Waiters } from './waiters.ts';

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

/** What the caller's face brings to a wait. */
export interface WaitSignals {
  readonly signal: AbortSignal;
  readonly release: SayRelease;
  /** Everybody who waits in this process. */
  readonly waiters: Waiters;
  /** Called when the wait begins, after every look, and about once a second. */
  readonly onWaiting?: (waiting: Waiting) => void;
}

/** How long the first look and the closing record are tried for while others have the ledger, however short the wait. */
const PATIENCE_MS = 4_000;

export async function waitForLocks(
  space: CallerWorkspace,
  given: readonly string[],
  options: WaitOptions,
  around: WaitSignals,
): Promise<Acquired> {
  const located = locateAll(space, given);
  const groups = options.all ? [located] : located.map((row) => [row]);
  const wait: Wait = {
    ...{ space, options, around },
    waiter: around.waiters.join(space),
    proc: markProcess(process.pid),
    notes: new Set(),
    end: null,
  };
  const results: AcquireResult[] = [];
  try {
    for (const group of groups) {
      if (around.signal.aborted) wait.end = 'cancelled';
      if (wait.end !== null) break;
      results.push(...(await waitFor(wait, group)));
    }
  } finally {
    wait.waiter.leave();
  }
  const answer = answerOf(located, results, wait.end ?? 'timeout', speakerOf(wait));
  const told = withChanges(space, located, answer);
  // Who goes on after a deadlock should know why it took so long.
  const notes = [...new Set([...wait.notes, ...(told.notes ?? [])])];
  return notes.length === 0 ? told : { ...told, notes };
}

interface Wait {
  readonly space: CallerWorkspace;
  readonly options: WaitOptions;
  readonly around: WaitSignals;
  readonly waiter: Waiter;
  /** This process; null where its death could not be told. */
  readonly proc: ProcessMark | null;
  /** What was to be said of deadlocks meanwhile. */
  readonly notes: Set<string>;
  /** Why no further file is waited for; null: go on. */
  end: 'cancelled' | 'DEADLOCK' | null;
}

const speakerOf = ({ space, around }: Wait): RowSpeaker => ({ me: space.who.id, release: around.release });

/**
 * A look that found the ledger busy was none: the wait goes on to its own end.
 * @throws GuardError GUARD_ERR_BUSY where no look at all came about in that time
 */
async function waitFor(wait: Wait, group: readonly LocatedPath[]): Promise<readonly AcquireResult[]> {
  const { space, around } = wait;
  const asked = askedFor(wait, group);
  if (asked === null) return [];
  let results: readonly AcquireResult[] | null = null;
  for (;;) {
    const looked = await lookOnce(wait, asked, results === null);
    if (looked === 'left' || around.signal.aborted) wait.end = 'cancelled';
    if (looked !== null && looked !== 'left') results = looked;
    const blocked = (results ?? []).filter(({ acquired }) => !acquired);
    if (blocked.some(({ error }) => error === 'DEADLOCK')) wait.end = 'DEADLOCK';
    if ((results !== null && blocked.length === 0) || wait.end === 'DEADLOCK') return results ?? [];
    const left_ms = asked.until_mono_ms - space.facts().now.mono_ms;
    if (wait.end !== null || left_ms <= 0) {
      await stopWaiting(wait, asked, blocked);
      return results ?? [];
    }
    const note = noteIn(blocked, speakerOf(wait));
    if (note !== null) wait.notes.add(note);
    const tell = (): void => around.onWaiting?.(waitingFor(wait, asked, group, { blocked, note }));
    tell();
    await wait.waiter.rest(asked, around.signal, tell);
  }
}

/** Null: it can have no lock, or not all of them. */
function askedFor({ space, options }: Wait, group: readonly LocatedPath[]): WaitFor | null {
  const paths = group.flatMap(({ path }) => (path === null ? [] : [path]));
  if (paths.length === 0 || (options.all && paths.length < group.length)) return null;
  const since_mono_ms = space.facts().now.mono_ms;
  const until_mono_ms = since_mono_ms + options.timeout_ms;
  return { agent: space.who.id, paths, mode: options.mode, since_mono_ms, until_mono_ms };
}

/** Null: the wait was over before the ledger was free. */
async function lookOnce(wait: Wait, asked: WaitFor, isFirst: boolean): Promise<Looked | null> {
  const { space, options, around, proc } = wait;
  if (around.signal.aborted) return null;
  const left_ms = asked.until_mono_ms - space.facts().now.mono_ms;
  const { mode, ttl_ms, all } = options;
  const event: AcquireEvent = {
    ...{ type: 'lock.acquire', who: space.who, paths: asked.paths, mode, ttl_ms, all },
    ...{ wait_until_mono_ms: asked.until_mono_ms, waiter: proc },
  };
  const deadline_ms = isFirst ? Math.max(left_ms, PATIENCE_MS) : left_ms;
  const one = { event, since_mono_ms: asked.since_mono_ms };
  try {
    return await wait.waiter.look(one, { deadline_ms, signal: around.signal });
  } catch (error) {
    const isLate = isBusy(error) && (!isFirst || around.signal.aborted);
    if (isLate) return null;
    throw error;
  }
}

/** What cannot be written because the ledger is busy ends with its ticket. */
async function stopWaiting(wait: Wait, asked: WaitFor, blocked: readonly AcquireResult[]): Promise<void> {
  const paths = blocked.map(({ path }) => path).filter((path) => !wait.waiter.isShared(asked, path));
  if (paths.length === 0) return;
  const cause = wait.end === null ? 'timeout' : 'cancelled';
  const { space } = wait;
  const { who } = space;
  const event = { type: 'lock.unwait', who, paths, cause, waiter: wait.proc } as const;
  const attempt = (): null => operate(space.store, event, space.facts(), { wait_ms: 0 });
  try {
    await whileBusy(attempt, { deadline_ms: PATIENCE_MS }, () => space.facts().now.mono_ms);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

interface Told {
  readonly blocked: readonly AcquireResult[];
  readonly note: string | null;
}

function waitingFor(
  { space, waiter }: Wait,
  asked: WaitFor,
  group: readonly LocatedPath[],
  { blocked, note }: Told,
): Waiting {
  const paths = blocked.map(({ path }) => path);
  return {
    filepaths: group.flatMap(({ given, path }) => (path !== null && paths.includes(path) ? [given] : [])),
    // Only on use: most clients do not ask to be told.
    get holders() {
      return waiter.inTheWay(asked);
    },
    left_ms: asked.until_mono_ms - space.facts().now.mono_ms,
    note,
  };
}

function noteIn(blocked: readonly AcquireResult[], speaker: RowSpeaker): string | null {
  const dead = blocked.flatMap(({ deadlock }) => deadlock ?? [])[0];
  return dead === undefined ? null : noteOn(dead, speaker);
}
