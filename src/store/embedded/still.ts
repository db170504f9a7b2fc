/**
 * How a step accesses the ledger. It first looks without the lock. Only its commit takes the lock, and all that is left
 * to do then is to check that nothing it read has moved, to append and to index. If something has moved, the step runs
 * again while the lock is kept, so no step is overtaken twice.
 */
import { isBusy } from '../../core/is-busy.ts';
import { asFailure, isIndexAnomaly } from '../failure.ts';
import { noLedger, notIdle } from '../told-failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import type { Flock } from '../flock/provider.ts';
import type { Engine, StillOptions } from '../store.ts';
import { commitIn, lookIn, makeReady } from './engine.ts';
import { checkDir, list, type OpenFile } from './files.ts';
import { type Glance, glance, renew } from './glance.ts';
import { closeFiles } from './ledger.ts';
import { type AttachOptions, LOCK_FILE } from './index-file.ts';
import { type Held, lockSync } from './lock.ts';
import { locked } from './locked.ts';
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

type Use<T> = (engine: Engine<'now'>) => T;

export function mustBeIdle({ state, dir }: Context): void {
  if (state !== 'idle') throw notIdle(state, dir);
}

/** The checks that are cheap enough to make every time. */
function check(context: Context): void {
  const { dir, create } = context;
  mustBeIdle(context);
  checkDir(dir);
  if (!create && list(dir).segments.length === 0) throw noLedger(dir, 'ledger in');
}

function inside<T>(context: Context, act: () => T): T {
  context.state = 'inside';
  try {
    return act();
  } finally {
    context.state = 'idle';
  }
}

/** Outcome of trying without the lock. Without `answer`, run the step under the lock, which `held` has if already taken. */
interface Tried<T> {
  readonly answer?: readonly [T];
  readonly held?: Held | undefined;
}

function tryUnlocked<T>(
  context: Context,
  seen: Glance,
  lock: (opened: OpenFile) => Held,
  use: Use<T>,
): Tried<T> {
  const { ledger, options } = seen;
  const got: { held?: Held; isRenewed?: boolean } = {};
  try {
    const answer = use({
      look: (keys, indexes) => lookIn(ledger, options.now, keys, indexes),
      commit(read, records, id) {
        const commit = { read, records, id };
        const later = (): AttachOptions => ({ ...options, now: context.now() });
        if (got.held !== undefined) return commitIn(ledger, later(), commit);
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
    got.held?.free();
    return { answer: [answer] };
  } catch (error) {
    if (got.isRenewed ? isIndexAnomaly(error) : !isBusy(error)) return { held: got.held };
    got.held?.free();
    throw asFailure(error, `use the ledger in ${context.dir}`, { path: context.dir });
  } finally {
    context.remembered?.keep(ledger);
    closeFiles(ledger);
  }
}

const MOMENT_MS = 25;

/** A large index is not read in one piece, so others may write in between. */
const GLANCES = 2;

export function still<T>(context: Context, use: Use<T>, options: StillOptions): T {
  const { dir, now } = context;
  const { writes, wait_ms, alone } = options;
  check(context);
  const lock = (opened?: OpenFile): Held => {
    const flock = (context.flock ??= chooseFlock());
    const mono_ms = (): number => now().mono_ms;
    const { lock_deadline_ms, waited_until_mono_ms } = context;
    const began_ms = mono_ms();
    const deadline_ms = wait_ms ?? (began_ms < waited_until_mono_ms ? MOMENT_MS : lock_deadline_ms);
    // Lasts as long again as this wait will, because a long-running process has time for its next step.
    if (deadline_ms === lock_deadline_ms) context.waited_until_mono_ms = began_ms + 2 * deadline_ms;
    const held = lockSync({ dir, flock, deadline_ms, writable: writes, mono_ms }, opened);
    context.waited_until_mono_ms = 0;
    return held;
  };
  let tried: Tried<T> = {};
  for (let at = 0; at < GLANCES && !alone && tried.held === undefined; at++) {
    const seen = glance(context, writes);
    if (seen === undefined) break;
    tried = inside(context, () => tryUnlocked(context, seen, lock, use));
    if (tried.answer !== undefined) return tried.answer[0];
  }
  const { held } = tried;
  return inside(context, () => locked(context, options, held === undefined ? lock : () => held, use));
}
