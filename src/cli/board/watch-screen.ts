// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** `guard status --watch` on a terminal. Thin: screen.ts decides what is shown, keys.ts what a key does. */
import { monotonic, readNow } from '../../repo/clock.ts';
import { rest } from '../../repo/rest.ts';
import type { Status } from '../../operations/status.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';
import { boardOf } from './board.ts';
import { afterDeed, type LockDeed, noteShown } from './asking.ts';
import { doDeed } from './deed.ts';
import { pressed, type Pressed } from './keys.ts';
import type { Board } from './rows.ts';
import { screenLines } from './screen.ts';
import { AT_FIRST, type ScreenState } from './screen-state.ts';
import { takeTerminal } from './terminal.ts';
import { isPaintable } from './terminal-size.ts';

/** How often ages are repainted, and the longest time between looks at the ledger, since leases end without a record. */
const TICK_MS = 1_000;
const LOOK_MS = 2_000;
/** During a burst of records, no one can read more often. */
const REST_MS = 200;

/** `null` if there is no terminal to paint. */
export const watchScreen = (...given: Parameters<typeof keepOpen>): Promise<ExitCode> | null =>
  isPaintable(given[2].env) ? keepOpen(...given) : null;

async function keepOpen(
  look: () => Status | Promise<Status>,
  space: Workspace,
  shell: Shell,
): Promise<ExitCode> {
  const own = new AbortController();
  let state: ScreenState = AT_FIRST;
  let told = await look();
  const board = (): Board => boardOf(told, readNow().wall_ms, true);
  const terminal = takeTerminal({ key, changed: () => paint() });
  function paint(): void {
    terminal.paint(screenLines(board(), terminal.size(), state, shell.color));
  }
  function key(it: Pressed): void {
    const at = { now_ms: monotonic(), rows: terminal.size().rows };
    const answered = pressed(board(), state, it, at);
    state = answered.state;
    const { deed } = answered;
    if (deed !== undefined && 'held' in deed) void done(deed);
    else if (deed?.does === 'quit') own.abort();
    else if (deed?.does === 'suspend') terminal.suspend();
    paint();
  }
  async function done(deed: LockDeed): Promise<void> {
    const outcome = await doDeed(deed, space, shell);
    state = afterDeed(state, deed, outcome);
    if (own.signal.aborted) return;
    paint();
    state = noteShown(state, deed.held, monotonic());
  }
  try {
    await untilStopped(async (signal) => {
      const either = AbortSignal.any([signal, own.signal]);
      const grown = growthOf(space, either);
      let looked_ms = monotonic();
      while (!isOver(either)) {
        paint();
        await Promise.race([rest(TICK_MS, either), grown.next()]);
        if (isOver(either) || !(grown.has() || monotonic() - looked_ms >= LOOK_MS)) continue;
        const began_ms = monotonic();
        told = await look();
        looked_ms = monotonic();
        // A slow look may take up at most half of the time.
        const rest_ms = Math.max(REST_MS, looked_ms - began_ms);
        await rest(rest_ms, either);
      }
    }, SERVER_SIGNALS);
  } finally {
    terminal.close();
  }
  return EXIT.yes;
}

/** A function, because the value changes during an await. */
const isOver = ({ aborted }: AbortSignal): boolean => aborted;

interface Growth {
  /** True once for all records since. */
  has(): boolean;
  /** Resolves at the next record. */
  next(): Promise<void>;
}

function growthOf({ store }: Pick<Workspace, 'store'>, signal: AbortSignal): Growth {
  const seen = { grown: false, wake: (): void => undefined };
  const follow = async (): Promise<void> => {
    for await (const { lsn } of store.watch(store.tip(), signal)) {
      seen.grown = lsn >= 0;
      seen.wake();
    }
  };
  // If it cannot follow, the ledger is still read every other second.
  follow().catch(() => undefined);
  return {
    has() {
      const { grown } = seen;
      seen.grown = false;
      return grown;
    },
    next: () => (seen.grown ? Promise.resolve() : new Promise((resolve) => (seen.wake = resolve))),
  };
}
