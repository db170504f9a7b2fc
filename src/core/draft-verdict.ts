/** What is decided about an agent that is to be started: its share, what it waits for, or why it never starts. */
import type { Money } from './budget.ts';
import type { DraftState } from './drafts.ts';
import type { RunMark } from './run-mark.ts';
import type { AgentId, Now } from './types.ts';

/**
 * Why an agent is not drafted or never started. `access`: its role may only look. `ended`: the drafter or the agent has
 * ended. For an agent that is to continue: `turns`, `wall`, `cost`: its own limit is used up; `leaving`: it is being
 * ended; `unheard`: too many messages to it are still undelivered. For a supervisor: `replaced`: its agent has another one.
 */
export type DraftRefusal =
  | ('access' | 'depth' | 'queue' | 'budget' | 'after' | 'planned' | 'ended' | 'unknown')
  | ('turns' | 'wall' | 'cost' | 'leaving' | 'unheard')
  | 'replaced';

export interface DraftRefused {
  readonly why: DraftRefusal;
  readonly limit: number | null;
  /** The state of a budget that has nothing left. */
  readonly money?: Money;
  /** The agent that it was to follow, or the one that has its place in a plan. */
  readonly agent?: AgentId;
  /** For `replaced`: the run that is recorded instead. */
  readonly on_record?: RunMark;
}

/** What keeps a queued agent from starting. */
export type WaitsFor =
  | {
      readonly why: 'after';
      readonly agents: readonly AgentId[];
      /** Those of them that ended without completing, and that someone can resume. */
      readonly resumable: readonly AgentId[];
    }
  | { readonly why: 'place'; readonly limit: number }
  | { readonly why: 'share'; readonly money: Money };

export type Verdict =
  { readonly share_usd: number | null } | { readonly waits: WaitsFor } | { readonly refused: DraftRefused };

/** The data that decides about places and shares. */
export interface Drafts {
  /** Every recorded draft, including the one to decide about. */
  readonly all: readonly DraftState[];
  readonly now: Now;
}
