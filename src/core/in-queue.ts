/** What is on record of a drafted agent besides its run: how it waited before that, and what it waits for in it. */
import type { Lsn } from './ledger.ts';
import type { AgentId } from './types.ts';

/** Of an agent that had to wait before it was started (draft-queue.ts). */
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
  /** How often it was taken out of the queue; its supervisor says which of these it is. */
  readonly starts: number;
  /** Somebody has taken it out, and its supervisor has not begun yet. */
  readonly is_claimed: boolean;
}

export interface InQueue {
  /** Absent: it was started at once. */
  readonly queued?: Queued;
  /** Up to when others may have its place, while it waits for agents. */
  readonly lends?: { readonly until_mono_ms: number; readonly boot: string } | null;
  /** Of its tree's budget, set aside for it; null: its tree has none, and its role neither. */
  readonly share_usd?: number | null;
  /** Its open call, or what it waits for. */
  readonly doing?: string | null;
  /** Which task of which plan it carries out. */
  readonly plan?: string;
}
