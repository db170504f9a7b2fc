/** Simulates time without an event of an agent, through the product's own store. */
import type { Json } from '../../../src/core/ledger.ts';
import { asAgentState } from '../../../src/core/states.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { openEmbedded } from '../../store/plain.ts';

/** Moves the agent's last sign of life, and the end of its turn, this much further into the past. */
export function silentFor(state_dir: string, agent: string, duration_ms: number): void {
  const store = openEmbedded(state_dir, { now: readNow });
  const key = `agent:${agent}`;
  store.transactSync([key], (view) => {
    const state = asAgentState(view.get(key));
    if (state === undefined) throw new Error(`${agent} is not in the ledger`);
    const { turn_over } = state;
    const before = {
      ...state,
      active_mono_ms: state.active_mono_ms - duration_ms,
      active_wall_ms: state.active_wall_ms - duration_ms,
      ...(turn_over === undefined
        ? {}
        : {
            turn_over: {
              since_mono_ms: turn_over.since_mono_ms - duration_ms,
              gone_mono_ms: turn_over.gone_mono_ms - duration_ms,
            },
          }),
    };
    const s = { [key]: before as unknown as Json };
    return { records: [{ type: 'renew', agent, ts_ms: Date.now(), s }], result: null };
  });
  store.closeSync();
}
