/**
 * How a step accesses the ledger. It first looks without the lock. Only its commit takes the lock, and all that is left
 * to do then is to check that nothing it read has moved, to append and to index. If something has moved, the
 * step releases the lock, looks and runs again; only after several rounds does it run under the lock (docs/decisions/243).
 */
import { attempt } from '../../core/attempt.ts';
import { isBusy } from '../../core/is-busy.ts';
import { asFailure, IndexAnomaly, isIndexAnomaly } from '../failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import type { Engine, StillOptions } from '../store.ts';
import { commitIn, lookIn, makeReady } from './engine.ts';
import { checkContext, type Context, lockFor, type TakeLock } from './context.ts';
import { type Glance, glance, renew } from './glance.ts';
import { hasLate } from './files.ts';
import { closeFiles } from './ledger.ts';
import { type AttachOptions, LOCK_FILE } from './index-file.ts';
import type { Held } from './lock.ts';
import { locked } from './locked.ts';

type Use<T> = (engine: Engine<'now'>) => T;

function inside<T>(context: Context, act: () => T): T {
  context.state = 'inside';
  try {
    return act();
  } finally {
    context.state = 'idle';
  }
}

/** The answer; null: look again; undefined: looking again would fail in the same way. */
type Tried<T> = readonly [T] | null | undefined;

function tryUnlocked<T>(context: Context, seen: Glance, lock: TakeLock, use: Use<T>): Tried<T> {
  const { ledger, options } = seen;
  const got: { held?: Held; isRenewed?: boolean } = {};
  try {
    const answer = use({
      look: (keys, indexes) => lookIn(ledger, options.now, keys, indexes),
      commit(read, records, id) {
        const commit = { read, records, id };
        const later = (): AttachOptions => ({ ...options, now: context.now() });
        if (got.held !== undefined) return commitIn(ledger, later(), commit);
        // A step that found a process dead must know what that process left before it died (docs/decisions/195).
        if (hasLate(context.dir)) throw new IndexAnomaly('late');
        const ready = makeReady(ledger, later(), commit);
        // If there is no flock, this throws while the ledger still owns the file and closes it.
        context.flock ??= chooseFlock();
        ledger.files.delete(LOCK_FILE);
        got.held = lock(seen.lock);
        renew(seen, got.held.home);
        got.isRenewed = true;
        return commitIn(ledger, later(), commit, ready);
      },
    });
    return [answer];
  } catch (error) {
    if (isIndexAnomaly(error)) return null;
    if (!got.isRenewed && !isBusy(error)) return undefined;
    throw asFailure(error, `use the ledger in ${context.dir}`, { path: context.dir });
  } finally {
    got.held?.free();
    context.remembered?.keep(ledger);
    closeFiles(ledger);
  }
}

/**
 * In the first two rounds a step looks without the lock; in the others it takes the lock, looks and releases it. Only a step that is
 * overtaken in every round runs under the lock, because everyone else has to wait for that.
 */
const ROUNDS = 4;
const UNLOCKED_ROUNDS = 2;

export function still<T>(context: Context, use: Use<T>, options: StillOptions): T {
  const { writes, alone } = options;
  checkContext(context);
  const lock = lockFor(context, options);
  let held: Held | undefined;
  for (let round = alone ? ROUNDS : 0; round < ROUNDS; round++) {
    if (round >= UNLOCKED_ROUNDS) {
      held = writes ? lock.take() : attempt(lock.take, undefined);
      // A read goes on without it (locked.ts). What got the lock in time must not lose it to its deadline.
      if (held === undefined || lock.isLate()) break;
    }
    const seen = glance(context, writes, held !== undefined);
    if (seen) {
      held?.free();
      held = undefined;
      const tried = inside(context, () => tryUnlocked(context, seen, lock.take, use));
      if (tried) return tried[0];
      if (tried === undefined) break;
    } else if (seen === undefined || held) {
      break;
    } else {
      // The holder of the lock may be dead, so the next look waits for the lock.
      round = UNLOCKED_ROUNDS - 1;
    }
  }
  let kept = held;
  const handOver = (): Held => {
    const known = kept ?? lock.take();
    kept = undefined;
    return known;
  };
  try {
    return inside(context, () => locked(context, options, handOver, use));
  } finally {
    // A reader may be answered before it asks for the lock.
    kept?.free();
  }
}
