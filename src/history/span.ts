/** A time in which an agent held a file, or stood in its queue. */
import type { Lsn } from '../core/ledger.ts';
import type { AgentId, Hold, RepoPath, Ticket } from '../core/types.ts';

export interface HeldSpan {
  readonly path: RepoPath;
  readonly agent: AgentId;
  readonly kind: 'hold' | 'shared' | 'wait';
  readonly from_ms: number;
  readonly from_lsn: Lsn;
  /** Null: no record ended it yet. */
  to_ms: number | null;
  /** Type of the record that ended it, as `release` or `turn.end`. */
  ended_by: string | null;
}

/** Where and when a record stands. */
export interface At {
  readonly lsn: Lsn;
  readonly ms: number;
  readonly type: string;
}

/** One agent may hold a file several times over, for itself and for command lines of its own. */
export const holdName = ({ agent, token, command = '' }: Hold): string => `${agent}\n${token}\n${command}`;
export const ticketName = ({ agent }: Ticket): string => `${agent}\nqueue`;

/** What a hold or a ticket is shown as, from its own beginning where that is known. */
export const spanOfHold = (path: RepoPath, { agent, mode, since_wall_ms }: Hold, at: At): HeldSpan => ({
  ...{ path, agent, kind: mode === 'shared' ? 'shared' : 'hold' },
  ...{ from_ms: Math.min(since_wall_ms, at.ms), from_lsn: at.lsn, to_ms: null, ended_by: null },
});

export const spanOfTicket = (path: RepoPath, { agent }: Ticket, at: At): HeldSpan => ({
  ...{ path, agent, kind: 'wait' },
  ...{ from_ms: at.ms, from_lsn: at.lsn, to_ms: null, ended_by: null },
});
