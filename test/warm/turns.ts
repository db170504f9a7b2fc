/** What goes wrong while an event is answered, and what the clocks say; `turned.cjs` carries it out. */

export interface Fault {
  /** `full`: writes fail; `read_only`: so does every other change; `sync`: fsync fails; `unreadable`: reads fail. */
  readonly kind: 'full' | 'read_only' | 'sync' | 'unreadable';
  readonly code: string;
  /** A pattern for the files of the state directory that are affected. */
  readonly files: string;
}

/** Where the server is killed; commands are never killed. */
export interface Death {
  readonly at: 'greeted' | 'begun' | 'touch' | 'answered' | 'half';
  /** For `touch`: which change to the disk it is killed before. */
  readonly nth?: number;
  /** Half of that change is written first. */
  readonly is_torn?: boolean;
}

export interface Turn {
  readonly mono_ms: number;
  readonly boot_ms: number;
  readonly wall_ms: number;
  readonly fails?: Fault;
  readonly dies?: Death;
}

type Roll = (sides: number) => number;

const MINUTE_MS = 60_000;
const FORWARD_MS = [20_000, 4 * MINUTE_MS, 20 * MINUTE_MS, 26 * 60 * MINUTE_MS];
const SET_MS = [-60 * MINUTE_MS, -10_000, 10_000, 60 * MINUTE_MS];

const FAULTS: readonly Fault[] = [
  { kind: 'full', code: 'ENOSPC', files: '' },
  { kind: 'full', code: 'ENOSPC', files: '/ledger-[^/]*$' },
  { kind: 'full', code: 'EDQUOT', files: '/(?:seen|windows|watch|contents|baselines)/' },
  { kind: 'full', code: 'EIO', files: '/index$' },
  { kind: 'read_only', code: 'EROFS', files: '' },
  { kind: 'sync', code: 'EIO', files: '' },
  { kind: 'unreadable', code: 'EIO', files: '/ledger-[^/]*$' },
];
const DEATHS = ['greeted', 'begun', 'touch', 'touch', 'touch', 'answered', 'half'] as const;
const TOUCHES = 8;

/** Nothing happens to most events, and little time passes between them. */
export function nextTurn(roll: Roll, before: Turn): Turn {
  const clocks = clocksAfter(roll, before);
  const luck = roll(20);
  if (luck === 0) return { ...clocks, fails: FAULTS[roll(FAULTS.length)] as Fault };
  if (luck > 2) return clocks;
  const at = DEATHS[roll(DEATHS.length)] ?? 'begun';
  return { ...clocks, dies: { at, nth: 1 + roll(TOUCHES), is_torn: roll(3) === 0 } };
}

function clocksAfter(roll: Roll, { mono_ms, boot_ms, wall_ms }: Turn): Turn {
  const luck = roll(30);
  const by_ms = (luck < 3 ? FORWARD_MS[roll(FORWARD_MS.length)] : SET_MS[roll(SET_MS.length)]) ?? 0;
  // Time passes; or the machine sleeps, which one clock does not see; or somebody sets the clock on the wall.
  if (luck < 2) return { mono_ms: mono_ms + by_ms, boot_ms: boot_ms + by_ms, wall_ms: wall_ms + by_ms };
  if (luck === 2) return { mono_ms, boot_ms: boot_ms + by_ms, wall_ms: wall_ms + by_ms };
  if (luck === 3) return { mono_ms, boot_ms, wall_ms: wall_ms + by_ms };
  return { mono_ms, boot_ms, wall_ms };
}

export const AT_FIRST: Turn = { mono_ms: 0, boot_ms: 0, wall_ms: 0 };
