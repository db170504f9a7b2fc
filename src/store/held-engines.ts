/** Keeps engines open in a long-running process: the thread and connection of each survive from one event to the next. */
import { isGuardError } from '../core/error.ts';
import { type EngineThread, startThread } from './blocking/thread.ts';
import { openStore, type SharedConfig } from './open.ts';
import type { Store } from './store.ts';

export interface HeldEngines {
  /** Closing the returned store leaves the engine open. */
  readonly open: (config: SharedConfig) => Store;
  end(): void;
}

/** As long as any hook waits (src/claude/lock-wait.ts). Each hook gives up on its own and then ends the thread. */
const DEADLINE_MS = 15_000;
/** Extra time for a running thread to be scheduled on a busy machine. */
const SPARE_MS = 1_000;

export function heldEngines(start = startThread): HeldEngines {
  const live = new Map<string, EngineThread>();
  const drop = (name: string): void => {
    const thread = live.get(name);
    live.delete(name);
    thread?.end();
  };
  return {
    open(config) {
      const kept = { ...config, deadline_ms: DEADLINE_MS, held: true };
      // The environment variables that locate a password.
      const { HOME, PGPASSFILE } = process.env;
      const name = JSON.stringify([kept, HOME, PGPASSFILE]);
      const threadHere: typeof startThread = ({ program }) => ({
        ask(question, args, answer_ms) {
          const running = live.get(name);
          const thread = running ?? start({ program, config: kept });
          live.set(name, thread);
          const soon_ms = config.deadline_ms + (running === undefined ? Infinity : SPARE_MS);
          try {
            return thread.ask(question, args, Math.min(answer_ms, soon_ms));
          } catch (error) {
            // If the engine kept trying, it could commit after the caller was told that it had failed.
            if (isGuardError(error) && error.code === 'GUARD_ERR_ENGINE_AWAY') drop(name);
            throw error;
          }
        },
        watch: (from, to) => live.get(name)?.watch(from, to),
        end: () => undefined,
      });
      return openStore({ ...config, start: threadHere });
    },
    end: () => [...live.keys()].forEach(drop),
  };
}
