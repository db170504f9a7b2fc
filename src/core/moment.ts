/** When a record was written, on the clock that its leases count in: for states that are looked at later. */
import type { LedgerRecord } from './ledger.ts';
import type { AgentState, Now } from './types.ts';

/**
 * The moment of a record on the clock that its leases count in: what an agent of the newest boot last showed of both
 * clocks, and the time that passed since. Never before what any of them was seen at.
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
