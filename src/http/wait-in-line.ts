/**
 * Waits for the ledger without holding up everyone else: an attempt gives up after a moment, and the next one comes later.
 * Only for work that may be done twice.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { GuardError } from '../core/error.ts';
import { isBusy } from '../core/is-busy.ts';

/** How long one attempt may block the thread. */
export const ATTEMPT_MS = 25;
/** How long attempts continue in total. */
const PATIENCE_MS = 4_000;
const REST_MS = 20;

/** The waiting requests. A thousand attempts in a row would block the thread, so that no request at all is answered. */
export interface WaitingLine {
  /**
   * Resolves when the ledger may be free. Requests are let through one by one, with a turn of the event loop in between: if
   * it is not free, only the first has blocked the thread. Returns the obstacle if the wait ends before that.
   */
  turn(isOver: () => boolean): Promise<GuardError | null>;
  /** The ledger is held, so no request tries for a moment. */
  held(error: GuardError): void;
}

interface Rest {
  readonly end: Promise<void>;
  readonly error: GuardError;
}

export function openLine(): WaitingLine {
  let rest: Rest | null = null;
  const now = (): Rest | null => rest;
  let turns: Promise<unknown> = Promise.resolve();
  return {
    async turn(isOver) {
      for (let held = now(); held !== null; held = now()) {
        await held.end;
        await (turns = turns.then(() => nextTurn()));
        const still = now();
        if (still !== null && isOver()) return still.error;
      }
      return null;
    },
    held(error) {
      if (rest !== null) return;
      const end = sleep(REST_MS * (0.5 + Math.random())).then(() => {
        rest = null;
      });
      rest = { end, error };
    },
  };
}

export async function waitInLine<T>(
  mono_ms: () => number,
  signal: AbortSignal,
  work: () => T | Promise<T>,
  line: WaitingLine = openLine(),
): Promise<T> {
  const end_ms = mono_ms() + PATIENCE_MS;
  const isOver = (): boolean => signal.aborted || mono_ms() >= end_ms;
  for (;;) {
    const inTheWay = await line.turn(isOver);
    if (inTheWay !== null) throw inTheWay;
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || isOver()) throw error;
      line.held(error);
    }
  }
}
