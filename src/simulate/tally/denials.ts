/** The calls that guard would have refused. */
import type { Denial } from '../../core/denial.ts';
import type { ErrorType } from '../../core/denial-kinds.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import type { ToldCall } from '../transcript/happening.ts';

/** The outcome of the call without guard; `unknown` if the transcript ends before it. */
export type Outcome = 'written' | 'failed' | 'unknown';

export interface DeniedCall {
  readonly at_ms: number;
  readonly agent: AgentId;
  readonly tool: string;
  readonly path: RepoPath;
  readonly denial: Denial;
  readonly outcome: Outcome;
}

export interface Denials {
  readonly note: (denied: DeniedCall) => void;
  readonly total: () => number;
  readonly by_error_type: () => Readonly<Record<string, number>>;
  readonly by_outcome: () => Readonly<Record<Outcome, number>>;
  /** The first of them. */
  readonly kept: readonly DeniedCall[];
}

/** Each takes about 2 KB. */
const KEPT_MAX = 10_000;

export function openDenials(): Denials {
  const kept: DeniedCall[] = [];
  const types = new Map<ErrorType, number>();
  const outcomes: Record<Outcome, number> = { written: 0, failed: 0, unknown: 0 };
  let total = 0;
  return {
    kept,
    note(denied) {
      const { error_type } = denied.denial;
      total++;
      types.set(error_type, (types.get(error_type) ?? 0) + 1);
      outcomes[denied.outcome]++;
      if (kept.length < KEPT_MAX) kept.push(denied);
    },
    total: () => total,
    by_error_type: () => Object.fromEntries([...types].sort(([, a], [, b]) => b - a)),
    by_outcome: () => ({ ...outcomes }),
  };
}

export const becameOf = ({ result }: ToldCall): Outcome => {
  if (result === undefined) return 'unknown';
  return result.is_error ? 'failed' : 'written';
};
