/** A time span in which an agent held a file or was in its queue. */
import type { Lsn } from '../core/ledger.ts';
import type { AgentId, Hold, RepoPath, Ticket } from '../core/types.ts';

export interface HeldSpan {
  readonly path: RepoPath;
  readonly agent: AgentId;
  readonly kind: 'hold' | 'shared' | 'wait';
  readonly from_ms: number;
  readonly from_lsn: Lsn;
  /** `null` while no record has ended it. */
  to_ms: number | null;
  /** Type of the record that ended it, such as `release` or `turn.end`. */
  ended_by: string | null;
}

/** A record's position and time. */
export interface At {
  readonly lsn: Lsn;
  readonly ms: number;
  readonly type: string;
}

/** One agent may hold a file several times, for itself and for its command lines. */
export const holdName = ({ agent, token, command = '' }: Hold): string => `${agent}\n${token}\n${command}`;
export const ticketName = ({ agent }: Ticket): string => `${agent}\nqueue`;

/** The span of a hold or a ticket, from its actual beginning if that is known. */
export const spanOfHold = (path: RepoPath, { agent, mode, since_wall_ms }: Hold, at: At): HeldSpan => ({
  path,
  agent,
  kind: mode === 'shared' ? 'shared' : 'hold',
  from_ms: Math.min(since_wall_ms, at.ms),
  from_lsn: at.lsn,
  to_ms: null,
  ended_by: null,
});

export const spanOfTicket = (path: RepoPath, { agent }: Ticket, at: At): HeldSpan => ({
  path,
  agent,
  kind: 'wait',
  from_ms: at.ms,
  from_lsn: at.lsn,
  to_ms: null,
  ended_by: null,
});
