/** The leases and their holders, as reported to people and programs. */
import { PATHS, pathOfKey } from './keys.ts';
import { isTogether, leaseIn } from './lease-scope.ts';
import type { View } from './ledger.ts';
import { aliveIn, oldestOf } from './living.ts';
import { type Outlook, outlookOf } from './outlook.ts';
import { rfc3339 } from './rfc3339.ts';
import { takenThere } from './taken-in.ts';
import { liveHolds } from './rules/lease.ts';
import { asPathState, type Changes, changesOver, EMPTY_PATH, readOnce } from './states.ts';
import type { AgentId, Facts, Hold, Mode, PathState, RepoPath } from './types.ts';

export interface LeaseReport extends Outlook {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly mode: Mode;
  readonly token: number;
  readonly since: string;
  /** The tool_use_id of the command line that holds it for its own duration. Absent: an ordinary lease. */
  readonly command?: string;
  /** It counts in other checkouts too, and was taken in this one ('' is the main one). Absent: it counts in its own. */
  readonly checkout?: string;
}

export function leasesIn(changes: Changes, paths: ReturnType<View['range']>, facts: Facts): LeaseReport[] {
  const once = readOnce(changes);
  let [path, own]: [RepoPath, PathState] = ['', EMPTY_PATH];
  // A list has the states, of which there may be ten thousand.
  const read = { ...once, path: (one: RepoPath) => (one === path ? own : once.path(one)) };
  const alike = lastOfEach(read);
  return paths.flatMap(([key, state]) => {
    [path, own] = [pathOfKey(key), asPathState(state)];
    return own.holds.length === 0 ? [] : alike(path, own, () => leasesOf(read, path, facts));
  });
}

/**
 * Locks that an agent took together differ only in their path, number and mode, unless someone is writing the file or leases
 * count in other checkouts. So what was found about one of them holds for the next: a third of the time of a list of ten thousand.
 */
function lastOfEach(changes: Changes) {
  const last = new Map<AgentId, { readonly hold: Hold; readonly found: readonly LeaseReport[] }>();
  return (
    path: RepoPath,
    { holds, intent }: PathState,
    look: () => LeaseReport[],
  ): readonly LeaseReport[] => {
    const [hold] = holds;
    const isAlone = holds.length === 1 && intent === null && leaseIn(changes, path) === path;
    const isBeside = isTogether(changes) || (hold && changes.agent(hold.agent)?.machine) !== undefined;
    if (hold === undefined || !isAlone || isBeside) return look();
    const known = last.get(hold.agent);
    if (known !== undefined && areAlike(known.hold, hold))
      return known.found.map((one) => ({ ...one, path, mode: hold.mode, token: hold.token }));
    const found = look();
    last.set(hold.agent, { hold, found });
    return found;
  };
}

function areAlike(a: Hold, b: Hold): boolean {
  const names = Object.keys(a) as (keyof Hold)[];
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => name === 'token' || name === 'mode' || a[name] === b[name])
  );
}

/** How many of the most recently touched paths are read first. */
const NEWEST = 64;

/** All leases or, if there are more than `enough`, some of the newest. */
export function someLeases(
  view: View,
  facts: Facts,
  enough: number,
): { readonly leases: readonly LeaseReport[]; readonly isAll: boolean } {
  const newest = view.range(PATHS, 0, NEWEST);
  const leases = leasesIn(changesOver(view), newest, facts);
  if (newest.length < NEWEST) return { leases, isAll: true };
  if (leases.length > enough) return { leases, isAll: false };
  return { leases: leasesNow(view, facts), isAll: true };
}

/** All leases. */
export function leasesNow(view: View, facts: Facts): LeaseReport[] {
  const changes = changesOver(view);
  return leasesIn(changes, view.range(PATHS, oldestOf(changes, aliveIn(view, changes, facts))), facts);
}

function leasesOf(changes: Changes, path: RepoPath, facts: Facts): LeaseReport[] {
  // Decided by the state itself: while leases count in all checkouts, a linked worktree's path has none.
  if (leaseIn(changes, path) !== path) return [];
  return liveHolds(changes, path, facts).map((hold) => leaseReport(changes, path, hold, facts));
}

function leaseReport(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): LeaseReport {
  return {
    path,
    holder: hold.agent,
    mode: hold.mode,
    token: hold.token,
    since: rfc3339(hold.since_wall_ms),
    ...(hold.command === undefined ? {} : { command: hold.command }),
    ...takenThere(hold),
    ...outlookOf(changes, path, hold, facts),
  };
}
