/** The facts about a refused lock for the agent that asked: why, until when, and which turn it would have. */
import type { Mode, RepoPath } from '../types.ts';
import type { Blocked } from './blocked.ts';
import { liveTickets, ticketsAhead } from './lease.ts';
import type { Acting } from './transaction.ts';

/** `mode` and `since` describe `holder`'s lease. */
export interface RefusedLease extends Pick<
  Blocked,
  'because' | 'mode' | 'since' | 'reservation' | 'checkout'
> {
  /** Its own place in the queue, from 1; for an agent that does not wait, the place it would get. */
  readonly place: number;
  /** How many others wait for the file. */
  readonly waiters: number;
}

export function refusedTo(tx: Acting, path: RepoPath, mode: Mode, blocked: Blocked): RefusedLease {
  const { changes, agent: me, facts } = tx;
  const { because, mode: held_in, since, reservation, checkout } = blocked;
  return {
    ...{ because, mode: held_in, since },
    ...(reservation === undefined ? {} : { reservation }),
    ...(checkout === undefined ? {} : { checkout }),
    place: ticketsAhead(tx, path, mode).length + 1,
    waiters: liveTickets(changes, path, facts).filter(({ agent }) => agent !== me.id).length,
  };
}
