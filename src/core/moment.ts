/** When a record was written, on the clock of its leases: for states that are examined later. */
import type { LedgerRecord } from './ledger.ts';
import type { AgentState, Now } from './types.ts';

/**
 * The moment of a record on the clock of its leases: the latest reading of both clocks by an agent of the newest boot,
 * plus the time that has passed since. Never before the last activity of any such agent.
 */
export function momentAfter(last: Now, record: Pick<LedgerRecord, 'ts' | 's'>): Now {
  const wall_ms = Date.parse(record.ts);
  const seen = Object.entries(record.s)
    .filter(([key, state]) => key.startsWith('agent:') && state !== null)
    .map(([, state]) => state as unknown as AgentState);
  const since_ms = last.boot === '' ? 0 : Math.max(0, wall_ms - last.wall_ms);
  return seen.reduce<Now>(
    (now, { boot, active_mono_ms }) =>
      boot === now.boot
        ? { ...now, mono_ms: Math.max(now.mono_ms, active_mono_ms) }
        : { ...now, boot, mono_ms: active_mono_ms },
    { ...last, wall_ms, mono_ms: last.mono_ms + since_ms },
  );
}
