/**
 * Waiting for locks. Files in canonical order, each with its own timeout; acquired locks are kept (`all`: one timeout,
 * one transaction). However the wait ends, its edge and its tickets end with it.
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
  /** Per file; with `all`, for all of them together. */
  readonly timeout_ms: number;
}

/** What an observer of a wait may be shown. */
export interface Waiting {
  readonly filepaths: readonly string[];
  readonly holders: readonly AgentId[];
  readonly left_ms: number;
  /** What is known of a deadlock that includes this wait. */
  readonly note: string | null;
}

/** What the calling interface contributes to a wait. */
export interface WaitSignals {
  readonly signal: AbortSignal;
  readonly release: SayRelease;
  /** All waiters of this process. */
  readonly waiters: Waiters;
  /** Called when the wait begins, after every look, and about once a second. */
  readonly onWaiting?: (waiting: Waiting) => void;
}

/** How long the first look and the closing record are retried while the ledger is busy, however short the wait. */
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
  // An agent that continues after a deadlock should know why the wait took so long.
  const notes = [...new Set([...wait.notes, ...(told.notes ?? [])])];
  return notes.length === 0 ? told : { ...told, notes };
}

interface Wait {
  readonly space: CallerWorkspace;
  readonly options: WaitOptions;
  readonly around: WaitSignals;
  readonly waiter: Waiter;
  /** This process; `null` if its death could not be detected. */
  readonly proc: ProcessMark | null;
  /** Notes about deadlocks that occurred meanwhile. */
  readonly notes: Set<string>;
  /** Why waiting for further files stops; `null` to continue. */
  end: 'cancelled' | 'DEADLOCK' | null;
}

const speakerOf = ({ space, around }: Wait): RowSpeaker => ({ me: space.who.id, release: around.release });

/**
 * A look that found the ledger busy does not count: the wait continues to its own end.
 * @throws GuardError GUARD_ERR_BUSY if not a single look succeeded in that time
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

/** `null` if it cannot be locked, or not all of them can. */
function askedFor({ space, options }: Wait, group: readonly LocatedPath[]): WaitFor | null {
  const paths = group.flatMap(({ path }) => (path === null ? [] : [path]));
  if (paths.length === 0 || (options.all && paths.length < group.length)) return null;
  const since_mono_ms = space.facts().now.mono_ms;
  const until_mono_ms = since_mono_ms + options.timeout_ms;
  return { agent: space.who.id, paths, mode: options.mode, since_mono_ms, until_mono_ms };
}

/** `null` if the wait ended before the ledger was free. */
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

/** A record that cannot be written because the ledger is busy is replaced by the expiry of the ticket. */
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
    // Computed only when used: most clients do not ask for it.
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
