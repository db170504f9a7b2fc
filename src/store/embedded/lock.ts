/**
 * The one lock of a store: flock(2) on `lock`, a file that is never renamed, unlinked or written. The kernel
 * frees it when its holder dies. It is taken without blocking and with a deadline, because a stopped holder
 * (SIGSTOP, a frozen container) would make a blocking call hang forever.
 */
import { statSync } from 'node:fs';
import { blockThread } from '../../repo/block-thread.ts';
import { asFailure } from '../failure.ts';
import { lockBusy } from '../told-failure.ts';
import type { Flock } from '../flock/provider.ts';
import { beNext } from './be-next.ts';
import { close, LOCK, type OpenFile } from './files.ts';
import { openLock } from './open-lock.ts';

export interface FlockOptions {
  readonly dir: string;
  readonly flock: Flock;
  readonly deadline_ms: number;
  /** When the deadline ends; absent: `deadline_ms` from now. */
  readonly end_ms?: number;
  /** False for a reader, which does not create the file and can lock one that it may not write. */
  readonly writable: boolean;
  readonly mono_ms: () => number;
}

export const LOCK_DEADLINE_MS = 4000;
const FIRST_PAUSE_MS = 0.2;
const LAST_PAUSE_MS = 8;
/** Of the waiter that is next (be-next.ts), if a try is a system call and not a process. */
const NEXT_PAUSE_MS = 0.5;

/** Pauses grow and are randomised, so that racing processes do not retry in step. */
const scattered = (pause_ms: number): number => pause_ms * (0.5 + Math.random());
const longer = (pause_ms: number): number => Math.min(pause_ms * 1.6, LAST_PAUSE_MS);

export interface Held {
  /** The lock file. It tells this store from copies of it. */
  readonly home: OpenFile;
  free(): void;
}

/** Undefined if another process has the lock; null if the locked file is no longer `lock`. Closes the file on null and on errors. */
function attempt({ dir, flock }: FlockOptions, home: OpenFile): Held | undefined | null {
  const { fd } = home;
  try {
    const path = `${dir}/${LOCK}`;
    const free = flock.take({ fd, path });
    if (free === undefined) return undefined;
    if (free && statSync(path, { throwIfNoEntry: false })?.ino === home.ino) {
      return {
        home,
        free() {
          free();
          close(fd);
        },
      };
    }
    free?.();
  } catch (error) {
    close(fd);
    throw asFailure(error, `lock ${dir}/${LOCK}`, { provider: flock.name });
  }
  close(fd);
  return null;
}

/**
 * Takes the lock, blocking the thread. Throws GUARD_ERR_BUSY at the deadline.
 * @param opened the lock file if the caller has already opened it; closed together with the lock, or here on failure
 */
export function lockSync(options: FlockOptions, opened?: OpenFile): Held {
  const end_ms = options.end_ms ?? options.mono_ms() + options.deadline_ms;
  let home = opened ?? openLock(options);
  let leave: (() => void) | undefined;
  try {
    for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = leave ? NEXT_PAUSE_MS : longer(pause_ms)) {
      const held = attempt(options, home);
      if (held) return held;
      if (held === null) home = openLock(options);
      if (options.mono_ms() >= end_ms) break;
      if (pause_ms === LAST_PAUSE_MS && options.flock.name !== 'flock') leave ??= beNext(options);
      blockThread(scattered(pause_ms));
    }
  } finally {
    leave?.();
  }
  close(home.fd);
  throw lockBusy(options.deadline_ms, home.ino);
}
