/**
 * How a step gets at the ledger. First it looks without the lock; only its commit takes that, and there nothing is left to do but to
 * see that nothing it read has moved, to append and to index. Where something has moved the step runs again, and the lock is kept
 * then: nobody is overtaken twice.
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
  /** Until then a moment is enough: it was waited for all of that in vain, and a hook has several steps and one time. */
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

/** Checks what costs next to nothing to check every time. */
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

/** What came of trying without the lock. Without an answer: to be done with it, and `held` where it is taken already. */
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
        // Where there is none it is still the ledger that closes the file.
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

/** The pages of a large index are not read at once, so others may come in between. */
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
    // As long again as it is going to have waited: a process that lives has time for its next step.
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
