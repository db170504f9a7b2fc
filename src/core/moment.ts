/** When a record was written, on the clock of its leases: for states that are examined later. */
import type { LedgerRecord } from './ledger.ts';
import type { AgentState, Now } from './types.ts';

/**
 * The moment of a record on the clock of its leases: the latest reading of both clocks by an agent of the newest boot,
 * plus the time that has passed since. Never before the last activity of any such agent.
 */
export function momentAfter(last: Now, record: Pick<LedgerRecord, 'ts' | 's'>): Now {
  const wall_ms = Date.parse(record.ts);
  const since_ms = last.boot === '' ? 0 : Math.max(0, wall_ms - last.wall_ms);
  let [boot, mono_ms] = [last.boot, last.mono_ms + since_ms];
  for (const [key, state] of Object.entries(record.s)) {
    if (!key.startsWith('agent:') || state === null) continue;
    const seen = state as unknown as AgentState;
    mono_ms = seen.boot === boot ? Math.max(mono_ms, seen.active_mono_ms) : seen.active_mono_ms;
    boot = seen.boot;
  }
  return { boot, mono_ms, wall_ms };
}
