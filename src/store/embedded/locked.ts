// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A ledger that cannot be looked at without the lock: nobody has written to it yet, or its last writer died, or it is another one now. */
import type { Engine } from '../store.ts';
import { engineOn } from './engine.ts';
import { list } from './files.ts';
import type { Held } from './lock.ts';
import { neverWritten } from './never-written.ts';
import { type StorePlace, useLedger } from './use.ts';

/** An empty store has no lock file, and a read must not make one: nothing can be in it. */
function isUntouched(dir: string): boolean {
  const names = list(dir);
  return names.segments.length === 0 && !names.hasIndex && names.checkpoints.length === 0;
}

/** @param lock takes the lock; it is freed here */
export function locked<T>(
  place: StorePlace,
  writable: boolean,
  lock: () => Held,
  use: (engine: Engine<'now'>) => T,
): T {
  if (!writable && isUntouched(place.dir)) return use(neverWritten(place.now()));
  const held = lock();
  try {
    return useLedger(place, held, writable, (ledger, attached) => use(engineOn(ledger, attached)));
  } finally {
    held.free();
  }
}
