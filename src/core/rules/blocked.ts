/** Why a lease cannot be had, in facts for people and programs. */
import { expiresAt, goesAt } from '../alive.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentId, Facts, Hold, Mode, RepoPath, Ticket } from '../types.ts';

/** Why a lease cannot be had now. `holder` is the oldest other holder, or the earliest waiter ahead. */
export interface Blocked {
  /** `hold` also where a reservation covers the path beside the lease; `queue`: others have a turn before. */
  readonly because: 'hold' | 'reservation' | 'queue';
  readonly holder: AgentId;
  readonly holders: readonly AgentId[];
  readonly mode: Mode;
  readonly since: string;
  /** When the last of them goes, if they do nothing more; of a queue when the places in it end. */
  readonly expires_at: string;
  /** The reservation that covers the path, where there is one. */
  readonly reservation?: { readonly id: string; readonly pattern: string; readonly reason: string };
}

export function byHolders(draft: Draft, path: RepoPath, holds: readonly Hold[], facts: Facts): Blocked {
  const sorted = [...holds].sort((a, b) => a.token - b.token);
  const [oldest] = sorted as [Hold];
  const ends = sorted.map((hold) => goesAtWall(draft, path, hold, facts));
  return {
    because: 'hold',
    holder: oldest.agent,
    holders: sorted.map((hold) => hold.agent),
    mode: oldest.mode,
    since: rfc3339(oldest.since_wall_ms),
    expires_at: rfc3339(Math.max(...ends)),
  };
}

/**
 * When a lease goes to whoever asks, in wall-clock time: both clocks were read together at the grant. Under a write in
 * flight nobody can say; then it is the earliest time at which it could.
 */
export function goesAtWall(draft: Draft, path: RepoPath, hold: Hold, facts: Facts): number {
  const goes_mono_ms = goesAt(draft, path, hold, facts);
  const end = Number.isFinite(goes_mono_ms) ? goes_mono_ms : expiresAt(draft, hold);
  return hold.since_wall_ms + end - hold.since_mono_ms;
}

/** A lease under a reservation: the file is not free before both are gone. */
export const joined = (held: Blocked, reserved: Blocked | null | undefined): Blocked =>
  reserved
    ? {
        ...held,
        ...(reserved.reservation === undefined ? {} : { reservation: reserved.reservation }),
        holders: [...new Set([...held.holders, ...reserved.holders])],
        expires_at: held.expires_at > reserved.expires_at ? held.expires_at : reserved.expires_at,
      }
    : held;

export function byTickets(tickets: readonly Ticket[], facts: Facts): Blocked {
  const sorted = [...tickets].sort((a, b) => a.ticket - b.ticket);
  const [first] = sorted as [Ticket];
  const wallAt = (mono_ms: number): string => rfc3339(facts.now.wall_ms + mono_ms - facts.now.mono_ms);
  return {
    because: 'queue',
    holder: first.agent,
    holders: sorted.map((ticket) => ticket.agent),
    mode: first.mode,
    since: wallAt(first.since_mono_ms),
    expires_at: wallAt(Math.max(...sorted.map((ticket) => ticket.until_mono_ms))),
  };
}
