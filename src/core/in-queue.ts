/** What is on record of a drafted agent besides its run: how it waited before that, and what it waits for in it. */
import type { Lsn } from './ledger.ts';
import type { AgentId } from './types.ts';

/** How an agent came to be started, whether it had to wait for that or not (draft-queue.ts). */
export interface Queued {
  readonly since_wall_ms: number;
  /** Tells those of the same moment apart. */
  readonly ticket: Lsn;
  readonly priority: number;
  /** Agents that it comes after. */
  readonly after: readonly AgentId[];
  /** Also after one that did not complete. */
  readonly anyway: boolean;
  /** What there is to start it from is on this machine. */
  readonly machine: string | null;
  /** How often it was taken out of the queue, or went past it; its supervisor says which of these it is. */
  readonly starts: number;
  /** Somebody is to start it, and its supervisor has not begun yet. */
  readonly is_claimed: boolean;
}

/** Others may have its place, while it waits for agents. */
interface Lending {
  readonly until_mono_ms: number;
  /** When its wait began. */
  readonly since_mono_ms: number;
  readonly boot: string;
}

export interface InQueue {
  /** Absent: on record since before there was a queue. */
  readonly queued?: Queued;
  readonly lends?: Lending | null;
  /** When its model answered last; null: its turn is over. */
  readonly turned_mono_ms?: number | null;
  /** Of its tree's budget, set aside for it; null: its tree has none, and its role neither. */
  readonly share_usd?: number | null;
  /** Its open call, or what it waits for. */
  readonly doing?: string | null;
  /** Which task of which plan it carries out. */
  readonly plan?: string;
}
