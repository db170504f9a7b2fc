/** The result of a simulation, as `--json` prints it and as the source of text and page. It has no text of files, unless asked for. */
import type { Contended } from './tally/contention.ts';
import type { Outcome } from './tally/denials.ts';
import type { LossThen, Unprovable } from './tally/losses.ts';

export interface SimulationReport {
  readonly transcripts: number;
  readonly bytes: number;
  /** Null if the transcripts contain nothing. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sessions: number;
  readonly agents: number;
  readonly unreadable: { readonly lines: number; readonly cut_off: number; readonly files: number };
  readonly policy: PolicyShown;
  readonly calls: {
    readonly prompts: number;
    readonly reads: number;
    readonly writes: number;
    readonly commands: number;
    readonly refused_by_client: number;
  };
  readonly denied: {
    readonly calls: number;
    readonly by_error_type: Readonly<Record<string, number>>;
    readonly by_outcome: Readonly<Record<Outcome, number>>;
    readonly locks_as_told: number;
    readonly groups: readonly DeniedGroup[];
    readonly list: readonly DeniedShown[];
    readonly left_off: number;
  };
  readonly lost: {
    readonly proven: number;
    readonly lines: number;
    readonly would_be_denied: number;
    readonly list: readonly LossShown[];
    readonly left_off: number;
    /** Not counted, because the transcripts do not show it. */
    readonly unprovable: Partial<Readonly<Record<Unprovable, number>>>;
  };
  readonly not_judged: {
    readonly commands_git: number;
    readonly commands_unreadable: number;
    readonly writes: number;
  };
  readonly contention: { readonly files: readonly Contended[]; readonly directories: readonly Contended[] };
  readonly side_by_side: { readonly pairs: number; readonly most_at_once: number };
  readonly cost: HookCost;
}

export interface PolicyShown {
  readonly preset: string;
  /** `option`, `repository` (its own configuration) or `default`. */
  readonly from: 'option' | 'repository' | 'default';
  readonly enforcement: string;
  readonly unread: string;
}

export interface HookCost {
  readonly hooks: number;
  readonly by_event: Readonly<Record<string, number>>;
  /** Of one hook process, measured on this machine now. Absent: not measured. */
  readonly ms_each?: number;
  /** All of them, one after the other. */
  readonly seconds?: number;
}

/** Refusals of one file for the same reasons. */
export interface DeniedGroup {
  readonly file: string;
  readonly error_type: string;
  readonly calls: number;
  readonly agents: number;
  readonly first: DeniedShown;
}

export interface DeniedShown {
  readonly at: string;
  readonly agent: string;
  readonly tool: string;
  readonly file: string;
  readonly error_type: string;
  readonly also: readonly string[];
  readonly message: string;
  readonly recovery_hint: string;
  readonly outcome: Outcome;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface LossShown {
  readonly at: string;
  readonly file: string;
  readonly how: LossThen['how'];
  readonly by: string;
  readonly made_by: string;
  readonly made_at: string;
  readonly lines: number;
  readonly would_be_denied: boolean;
  /** Only with --show. */
  readonly text?: readonly string[];
}
