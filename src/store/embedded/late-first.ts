// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A step under the lock, before which late events are taken in: also those that are left while it runs. */
import { readdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Engine } from '../store.ts';
import { hasLate, LATE } from './files.ts';
import type { Held } from './lock.ts';
import type { StorePlace } from './use.ts';

class LeftMeanwhile extends Error {
  override readonly name = 'LeftMeanwhile';
}

/** Each round has to be overtaken by another process that leaves an event while it waits for this one's lock. */
const ROUNDS = 8;

const namesIn = (dir: string): readonly string[] => attempt(() => readdirSync(`${dir}/${LATE}`), []);

/**
 * Runs the step again if an event was left before its commit: the step may have found dead the process that left it.
 * @param act runs the step on its engine as `within` returns it
 */
export function lateFirst<T>(
  place: StorePlace,
  held: Held,
  act: (within: (engine: Engine<'now'>) => Engine<'now'>) => T,
): T {
  for (let round = 1; ; round++) {
    const found = namesIn(place.dir);
    if (hasLate(place.dir)) place.takeIn?.(place, held);
    // What was there and still is cannot be taken in: it is for a newer guard.
    const isNew = (name: string): boolean => round < ROUNDS && !found.includes(name);
    try {
      return act((engine) => unlessLeft(engine, () => namesIn(place.dir).some(isNew)));
    } catch (error) {
      if (!(error instanceof LeftMeanwhile)) throw error;
    }
  }
}

function unlessLeft(engine: Engine<'now'>, isLeft: () => boolean): Engine<'now'> {
  let hasCommitted = false;
  return {
    ...engine,
    commit(...asked) {
      if (!hasCommitted && isLeft()) throw new LeftMeanwhile();
      hasCommitted = true;
      return engine.commit(...asked);
    },
  };
}
