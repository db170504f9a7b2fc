// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The clock of a shared engine, as a machine that asks it rarely knows it. */
import { unlessRefused } from '../core/attempt.ts';
import type { Now } from '../core/types.ts';

type Clock = (here: Now) => Now;

/** Extrapolated from a single answer. @param isOver whether the engine's boot has changed since */
export function engineClock(ask: () => Now, isOver: (boot: string) => boolean): Clock {
  let ahead: Now | undefined;
  return (here) => {
    if (ahead === undefined || isOver(ahead.boot)) {
      const { boot, mono_ms, wall_ms } = ask();
      ahead = { boot, mono_ms: mono_ms - here.mono_ms, wall_ms: wall_ms - here.wall_ms };
    }
    const { boot, mono_ms, wall_ms } = ahead;
    return { boot, mono_ms: here.mono_ms + mono_ms, wall_ms: here.wall_ms + wall_ms };
  };
}

/** This machine's clock, once the engine's could not be had: it would be waited for again. */
export function untilAway(clock: Clock): Clock {
  let isAway = false;
  return (here) =>
    isAway
      ? here
      : unlessRefused(
          () => clock(here),
          () => {
            isAway = true;
            return here;
          },
        );
}
