// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Tells what an engine failed with from what a rule threw. */
import type { Engine } from '../store.ts';

export interface WatchedEngine extends Engine<'now'> {
  /** Whether it failed with this error, so that no rule threw it. */
  readonly isOwn: (error: unknown) => boolean;
}

export function watchedEngine(engine: Engine<'now'>): WatchedEngine {
  const failures = new Set<unknown>();
  const noting = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      failures.add(error);
      throw error;
    }
  };
  return {
    look: (...asked) => noting(() => engine.look(...asked)),
    commit: (...asked) => noting(() => engine.commit(...asked)),
    isOwn: (error) => failures.has(error),
  };
}
