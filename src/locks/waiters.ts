/**
 * The waiters of one process on one ledger: one watch, one timer, one memory of what is in their way. A record wakes
 * only the waiters that it helps. Each second costs a check of that memory and of the processes in it, not a look at
 * the ledger.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key, Lsn } from '../core/ledger.ts';
import { inTheWay, type Prospect, prospectOf, type WaitFor } from '../core/rules/prospect.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { type Patience, whileBusy } from '../store/patience.ts';
import { consult } from '../store/transact.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type KeptStates, openKnown } from './known.ts';
import { type AcquireLook, look, type Looked } from './look.ts';

/** Silent endings, such as the death of a process, are noticed after this long. */
const LOOK_MS = 1_000;
/** Two moments closer than this are treated as one. */
const MOMENT_MS = 5;

/** A waiter, for one path after the other. */
export interface Waiter {
  look(one: AcquireLook, patience: Patience): Promise<Looked>;
  /** Resolves when a look could achieve something, or at the signal. `onTime` is called about once a second. */
  rest(wait: WaitFor, signal: AbortSignal, onTime: () => void): Promise<void>;
  /** The agents in the way, as far as known without a look. */
  inTheWay(wait: WaitFor): readonly AgentId[];
  /** True if another wait of the same agent in this process is for that path. */
  isShared(wait: WaitFor, path: string): boolean;
  leave(): void;
}

/** Opened once per process, for all of its ledgers. */
export interface Waiters {
  join(space: Workspace): Waiter;
}

interface Seat {
  readonly space: Workspace;
  wait: WaitFor | null;
  /** `null` while it looks. */
  wake: (() => void) | null;
  onTime: () => void;
  used: ReadonlySet<Key>;
  told_mono_ms: number;
  looked_mono_ms: number;
  /** The value of `heard` at its last look. */
  heard: number;
}

interface Room {
  readonly known: KeptStates;
  readonly seats: Set<Seat>;
  readonly end: AbortController;
  /** The first lsn that is not in `known`; `null` if `known` is empty. */
  from: Lsn | null;
  listens: boolean;
  /** The watch failed, so only the timer triggers looks. */
  deaf: boolean;
  heard: number;
  judging: boolean;
  filling: boolean;
  timer: NodeJS.Timeout | undefined;
  turns: Promise<unknown>;
}

export function openWaiters(): Waiters {
  const rooms = new Map<string, Room>();
  return {
    join(space) {
      const { state_dir } = space;
      const room = rooms.get(state_dir) ?? newRoom();
      rooms.set(state_dir, room);
      return seatIn(room, space, () => {
        room.end.abort();
        clearTimeout(room.timer);
        rooms.delete(state_dir);
      });
    },
  };
}

const newRoom = (): Room => ({
  known: openKnown(),
  seats: new Set(),
  end: new AbortController(),
  from: null,
  listens: false,
  deaf: false,
  heard: 0,
  judging: false,
  filling: false,
  timer: undefined,
  turns: Promise.resolve(),
});

function seatIn(room: Room, space: Workspace, close: () => void): Waiter {
  const seat: Seat = {
    space,
    wait: null,
    wake: null,
    onTime: () => undefined,
    used: new Set(),
    told_mono_ms: 0,
    looked_mono_ms: -Infinity,
    heard: -1,
  };
  room.seats.add(seat);
  return {
    async look(one, patience) {
      // From now on this is what it waits for.
      seat.wait = waitOf(one);
      // Looks block the thread, so all other tasks get a turn between two of them.
      await (room.turns = room.turns.then(() => nextTurn()));
      const looked = await look(space, one, patience, ({ states, next }) => {
        room.known.put(states, next);
        room.from ??= next;
        // Records received from now on are news to it.
        seat.heard = room.heard;
      });
      seat.looked_mono_ms = space.facts().now.mono_ms;
      return looked;
    },
    async rest(wait, signal, onTime) {
      const { mono_ms } = space.facts().now;
      Object.assign(seat, { wait, onTime, told_mono_ms: mono_ms });
      const until_ms = wait.until_mono_ms - mono_ms;
      if (!signal.aborted && until_ms > 0) await asleep(room, seat, until_ms, signal);
      seat.wake = null;
    },
    inTheWay: (wait) => inTheWay(room.known.view({ used: new Set(), gaps: new Set() }), wait, space.facts()),
    isShared: ({ agent }, path) =>
      [...room.seats].some(
        (other) => other !== seat && other.wait?.agent === agent && other.wait.paths.includes(path),
      ),
    leave() {
      room.seats.delete(seat);
      if (room.seats.size === 0) {
        close();
        return;
      }
      room.known.forgetAllBut(new Set([...room.seats].flatMap(({ used }) => [...used])));
    },
  };
}

const waitOf = ({ event, since_mono_ms }: AcquireLook): WaitFor => ({
  agent: event.who.id,
  paths: event.paths,
  mode: event.mode,
  since_mono_ms,
  until_mono_ms: event.wait_until_mono_ms ?? since_mono_ms,
});

function asleep(room: Room, seat: Seat, until_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(end);
      signal.removeEventListener('abort', wake);
      seat.wake = null;
      resolve();
    };
    const end = setTimeout(wake, Math.min(until_ms, 2 ** 31 - 1));
    signal.addEventListener('abort', wake, { once: true });
    seat.wake = wake;
    listen(room, seat.space);
    // A record received during the look may have concerned it.
    judgeSoon(room);
  });
}

function listen(room: Room, { store }: Workspace): void {
  if (room.listens || room.from === null) return;
  room.listens = true;
  const records = store.watch(room.from, room.end.signal);
  const follow = async (): Promise<void> => {
    for await (const record of records) {
      if (!room.known.heard(record)) continue;
      room.heard++;
      judgeSoon(room);
    }
  };
  // If the watcher fails (a system has a limited number), only the timer is left.
  follow()
    .catch(() => undefined)
    .finally(() => (room.deaf = true));
}

/** Once for all records of one commit, and not while other tasks wait for the thread. */
function judgeSoon(room: Room): void {
  if (room.judging) return;
  room.judging = true;
  setImmediate(() => {
    room.judging = false;
    judge(room);
  });
}

function judge(room: Room): void {
  clearTimeout(room.timer);
  let pause_ms = LOOK_MS;
  for (const seat of room.seats) {
    if (seat.wake === null || seat.wait === null) continue;
    const facts = seat.space.facts();
    const { mono_ms } = facts.now;
    const { due, next_mono_ms } = judged(room, seat, seat.wait, facts);
    if (due && mayLook(room, seat, mono_ms)) {
      seat.wake();
      continue;
    }
    tell(seat, mono_ms);
    pause_ms = Math.min(pause_ms, Math.max(MOMENT_MS, next_mono_ms - mono_ms));
  }
  if ([...room.seats].some(({ wake }) => wake !== null)) room.timer = setTimeout(() => judge(room), pause_ms);
}

function tell(seat: Seat, mono_ms: number): void {
  if (mono_ms - seat.told_mono_ms < LOOK_MS - MOMENT_MS) return;
  seat.told_mono_ms = mono_ms;
  seat.onTime();
}

const UNKNOWN: Prospect = { due: false, next_mono_ms: Infinity };

function judged(room: Room, seat: Seat, wait: WaitFor, facts: Facts): Prospect {
  if (room.deaf) return { ...UNKNOWN, due: true };
  const reading = { used: new Set<Key>(), gaps: new Set<Key>() };
  const prospect = prospectOf(
    room.known.view(reading),
    { ...wait, looked_mono_ms: seat.looked_mono_ms },
    facts,
  );
  seat.used = reading.used;
  if (reading.gaps.size === 0) return prospect;
  void fill(room, seat.space, [...reading.gaps]);
  return UNKNOWN;
}

/** Reads the states that are not remembered, then checks again. On failure, the next second tries again. */
async function fill(room: Room, space: Workspace, gaps: readonly Key[]): Promise<void> {
  if (room.filling) return;
  room.filling = true;
  const read = (): void => {
    const seen = consult(
      space.store,
      (view) => ({ states: gaps.map((key) => [key, view.get(key)] as const), next: view.tip }),
      { wait_ms: 0 },
    );
    room.known.put(seen.states, seen.next);
  };
  try {
    await whileBusy(read, { deadline_ms: LOOK_MS, signal: room.end.signal }, () => space.facts().now.mono_ms);
    judgeSoon(room);
  } catch {
    // The ledger is busy or cannot be read; the next look reports the problem.
  } finally {
    room.filling = false;
  }
}

/** A look that changed nothing is not repeated until a record or a second has passed: the guess may be wrong. */
const mayLook = (room: Room, seat: Seat, mono_ms: number): boolean =>
  room.heard !== seat.heard || mono_ms - seat.looked_mono_ms >= LOOK_MS;
