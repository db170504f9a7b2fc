// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Reading a ledger that needs the lock: nothing was ever written to it, its last writer died, or it was replaced. */
import { constants } from 'node:fs';
import { isGuardError } from '../../core/error.ts';
import { isBusy } from '../../core/is-busy.ts';
import type { Engine, StillOptions } from '../store.ts';
import { engineOn } from './engine.ts';
import { close, list, LOCK, openFile } from './files.ts';
import { lateFirst } from './late-first.ts';
import type { Held } from './lock.ts';
import { neverWritten } from './never-written.ts';
import { type StorePlace, useLedger } from './use.ts';

/** An empty store has no lock file, and a read must not create one: there is nothing to protect. */
function isUntouched(dir: string): boolean {
  const names = list(dir);
  return names.segments.length === 0 && !names.hasIndex && names.checkpoints.length === 0;
}

/**
 * The lock's holder does not release it, because its commit is still running or its process is stopped. Everything
 * committed before can still be read, in memory, as after a crash.
 */
function readBusy<T>(place: StorePlace, error: unknown, use: (engine: Engine<'now'>) => T): T {
  const home = openFile(place.dir, LOCK, constants.O_RDONLY);
  const asHeld = { home, free: () => close(home.fd) };
  try {
    return useLedger(place, asHeld, false, (ledger, attached) => use(engineOn(ledger, attached)));
  } catch (other) {
    // The ledger is being repaired or compacted.
    throw isGuardError(other) ? error : other;
  } finally {
    asHeld.free();
  }
}

/** @param lock takes the lock, which is freed here */
export function locked<T>(
  place: StorePlace,
  { writes: writable, alone }: StillOptions,
  lock: () => Held,
  use: (engine: Engine<'now'>) => T,
): T {
  if (!writable && isUntouched(place.dir)) return use(neverWritten(place.now()));
  let held: Held;
  try {
    held = lock();
  } catch (error) {
    if (writable || alone || !isBusy(error)) throw error;
    return readBusy(place, error, use);
  }
  function used(within: (engine: Engine<'now'>) => Engine<'now'>): T {
    return useLedger(place, held, writable, (ledger, attached) => use(within(engineOn(ledger, attached))));
  }
  try {
    return writable ? lateFirst(place, held, used) : used((engine) => engine);
  } finally {
    held.free();
  }
}
