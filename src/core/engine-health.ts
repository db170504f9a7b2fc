/** Of a shared ledger's server: whether what it acknowledged would outlast it. */

/** As `guard.health_1` says it. */
export interface EngineHealth {
  readonly now_ms: number;
  /** Commits wait for a standby. */
  readonly is_waited_for: boolean;
  readonly is_flushed: boolean;
  /** `kind`: `sync` and `quorum` are waited for, `async` and `potential` are not. Null: whoever asks is not told. */
  readonly standbys: readonly {
    readonly name: string | null;
    readonly state: string | null;
    readonly kind: string | null;
  }[];
}

/**
 * `in_step`: a standby has all that was acknowledged. `stuck`: commits wait for one that is not there. `asynchronous`: a failover
 * loses what the standby had not received yet, and locks are granted twice. `alone`: there is none to fail over to.
 */
export type EngineStanding = 'in_step' | 'stuck' | 'asynchronous' | 'alone';

export function engineStanding({ is_waited_for, standbys }: EngineHealth): EngineStanding {
  if (!is_waited_for) return standbys.length > 0 ? 'asynchronous' : 'alone';
  const isInStep = standbys.some(
    ({ state, kind }) => kind === null || (state === 'streaming' && /^(?:sync|quorum)$/.test(kind)),
  );
  return isInStep ? 'in_step' : 'stuck';
}
