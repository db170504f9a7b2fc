/** Whether the server of a shared ledger could fail without losing acknowledged records. */

/** The row returned by `guard.health_1`. */
export interface EngineHealth {
  readonly now_ms: number;
  /** Commits wait for a standby. */
  readonly is_waited_for: boolean;
  readonly is_flushed: boolean;
  /** `kind`: commits wait for `sync` and `quorum`, not for `async` and `potential`. `null`: hidden from this user. */
  readonly standbys: readonly {
    readonly name: string | null;
    readonly state: string | null;
    readonly kind: string | null;
  }[];
}

/**
 * `in_step`: a standby has everything that was acknowledged. `stuck`: commits wait for a missing standby.
 * `asynchronous`: a failover loses what the standby had not received, and locks are granted twice. `alone`: there is no
 * standby to fail over to.
 */
export type EngineStanding = 'in_step' | 'stuck' | 'asynchronous' | 'alone';

export function engineStanding({ is_waited_for, standbys }: EngineHealth): EngineStanding {
  if (!is_waited_for) return standbys.length > 0 ? 'asynchronous' : 'alone';
  const isInStep = standbys.some(
    ({ state, kind }) => kind === null || (state === 'streaming' && /^(?:sync|quorum)$/.test(kind)),
  );
  return isInStep ? 'in_step' : 'stuck';
}
