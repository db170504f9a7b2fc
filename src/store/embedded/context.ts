/** An opened store between and during its uses, and how it takes its lock. */
import { noLedger, notIdle } from '../told-failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import type { Flock } from '../flock/provider.ts';
import type { StillOptions } from '../store.ts';
import { checkDir, list, type OpenFile } from './files.ts';
import { type Held, lockSync } from './lock.ts';
import type { StorePlace } from './use.ts';

export interface Context extends StorePlace {
  readonly lock_deadline_ms: number;
  /** Until then, wait only briefly: a full wait has just failed, and a hook's steps share one deadline. */
  waited_until_mono_ms: number;
  /** False: refuse a directory that has no ledger yet. */
  readonly create: boolean;
  flock: Flock | undefined;
  state: 'idle' | 'inside' | 'closed';
}

export function mustBeIdle({ state, dir }: Context): void {
  if (state !== 'idle') throw notIdle(state, dir);
}

/** The checks that are cheap enough to make every time. */
export function checkContext(context: Context): void {
  const { dir, create } = context;
  mustBeIdle(context);
  checkDir(dir);
  if (!create && list(dir).segments.length === 0) throw noLedger(dir, 'ledger in');
}

/** @param opened the lock file if it is open already; closed together with the lock */
export type TakeLock = (opened?: OpenFile) => Held;

const MOMENT_MS = 25;

export interface LockUse {
  readonly take: TakeLock;
  /** Whether the deadline has passed: a lock that is released now may not be had again. */
  isLate(): boolean;
}

/** There is one deadline, from the first time on that the lock is taken. */
export function lockFor(context: Context, { writes, wait_ms }: StillOptions): LockUse {
  const { dir, now } = context;
  const mono_ms = (): number => now().mono_ms;
  let end_ms: number | undefined;
  const take: TakeLock = (opened) => {
    const flock = (context.flock ??= chooseFlock());
    const { lock_deadline_ms, waited_until_mono_ms } = context;
    const began_ms = mono_ms();
    const wanted_ms = wait_ms ?? (began_ms < waited_until_mono_ms ? MOMENT_MS : lock_deadline_ms);
    // Lasts as long again as this wait will, because a long-running process has time for its next step.
    if (wanted_ms === lock_deadline_ms) context.waited_until_mono_ms = began_ms + 2 * wanted_ms;
    end_ms ??= began_ms + wanted_ms;
    const held = lockSync({ dir, flock, deadline_ms: wanted_ms, end_ms, writable: writes, mono_ms }, opened);
    context.waited_until_mono_ms = 0;
    return held;
  };
  return { take, isLate: () => end_ms !== undefined && mono_ms() >= end_ms };
}
