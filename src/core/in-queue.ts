/** What the ledger records about a drafted agent's queueing: how it waited before its run, and for what during it. */
import type { Lsn } from './ledger.ts';
import type { AgentId } from './types.ts';

/** How an agent came to be started, whether or not it had to wait (draft-queue.ts). */
export interface Queued {
  readonly since_wall_ms: number;
  /** Distinguishes agents queued at the same moment. */
  readonly ticket: Lsn;
  readonly priority: number;
  /** The agents that it must follow. */
  readonly after: readonly AgentId[];
  /** It starts even if one of those did not complete. */
  readonly anyway: boolean;
  /** The machine that has what is needed to start it. */
  readonly machine: string | null;
  /** How often it left the queue or bypassed it; its supervisor passes this number to identify its own start. */
  readonly starts: number;
  /** A process has claimed the start, and its supervisor has not begun yet. */
  readonly is_claimed: boolean;
}

/** While it waits for agents, others may use its place. */
interface Lending {
  readonly until_mono_ms: number;
  /** When its wait began. */
  readonly since_mono_ms: number;
  readonly boot: string;
}

export interface InQueue {
  /** Absent: recorded before queues existed. */
  readonly queued?: Queued;
  readonly lends?: Lending | null;
  /** When its model last answered; `null`: its turn has ended. */
  readonly turned_mono_ms?: number | null;
  /** Its share of the tree's budget; `null` if neither the tree nor its role has a budget. */
  readonly share_usd?: number | null;
  /** Its open call, or what it waits for. */
  readonly doing?: string | null;
  /** The plan and the task of it that this agent carries out. */
  readonly plan?: string;
}
