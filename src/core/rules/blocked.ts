// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Why a lease cannot be granted, as facts for people and programs. */
import { type Outlook, outlookOf } from '../outlook.ts';
import type { Changes } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts, Hold, Mode, RepoPath, Ticket } from '../types.ts';
import { wallAt } from '../wall-time.ts';
import { takenThere } from '../taken-in.ts';

/** Why a lease cannot be granted now. `holder` is the oldest other holder, or the earliest waiter ahead. */
export interface Blocked {
  /** `hold` even if a reservation covers the path besides the lease; `queue`: waiters are ahead. */
  readonly because: 'hold' | 'reservation' | 'queue';
  readonly holder: AgentId;
  readonly holders: readonly AgentId[];
  readonly mode: Mode;
  readonly since: string;
  /** When the last of them ends if they do nothing more; for a queue, when its tickets end. */
  readonly expires_at: string;
  /** What the holder is doing, if there is one. */
  readonly outlook?: Omit<Outlook, 'expires_at'>;
  /** The reservation that covers the path, if there is one. */
  readonly reservation?: { readonly id: string; readonly pattern: string; readonly reason: string };
  /** Where the holder works: a linked worktree, or '' for the main checkout. Absent: in the same checkout. */
  readonly checkout?: string;
}

/** If several agents share it, the last lease to end counts. */
export function byHolders(changes: Changes, path: RepoPath, holds: readonly Hold[], facts: Facts): Blocked {
  const sorted = [...holds].sort((a, b) => a.token - b.token);
  const [oldest] = sorted as [Hold];
  const outlooks = sorted.map((hold) => outlookOf(changes, path, hold, facts));
  const [{ expires_at: first, ...outlook }] = outlooks as [Outlook];
  return {
    because: 'hold',
    holder: oldest.agent,
    holders: sorted.map((hold) => hold.agent),
    mode: oldest.mode,
    since: rfc3339(oldest.since_wall_ms),
    expires_at: outlooks.reduce((last, { expires_at }) => (expires_at > last ? expires_at : last), first),
    outlook,
    ...takenThere(oldest),
  };
}

/** Combines a lease with a reservation of the path: the file is not free before both have ended. */
export const joinedBlocks = (held: Blocked, reserved: Blocked | null | undefined): Blocked =>
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
  return {
    because: 'queue',
    holder: first.agent,
    holders: sorted.map((ticket) => ticket.agent),
    mode: first.mode,
    since: wallAt(first.since_mono_ms, facts.now),
    expires_at: wallAt(Math.max(...sorted.map((ticket) => ticket.until_mono_ms)), facts.now),
  };
}
