/** What an agent asks of a shared ledger's server besides looks and commits. Loads the driver. */
import type { EngineHealth } from '../../core/engine-health.ts';
import type { PostgresConfig } from './address.ts';
import { dial } from './line.ts';
import { monotonic } from '../../repo/clock.ts';

export interface SeenEngine extends EngineHealth {
  /** Median of five queries, the first of which opened the connection. */
  readonly round_trip_ms: number;
  /** The engine's clock minus this machine's. */
  readonly clock_difference_ms: number;
}

const QUESTIONS = 5;

/** @throws GuardError GUARD_ERR_CONFIG, GUARD_ERR_ENGINE_AWAY, GUARD_ERR_ENGINE_ACCESS, GUARD_ERR_ENGINE_VERSION */
export async function askEngine(config: PostgresConfig, wallMs: () => number): Promise<SeenEngine> {
  const line = dial({ ...config, connections: 1 });
  try {
    await line.call('hello_1', [config.repository]);
    const answers: SeenEngine[] = [];
    for (let nth = 0; nth < QUESTIONS; nth++) {
      const begun_ms = monotonic();
      const health = (await line.call('health_1', []))['health_1'] as EngineHealth;
      const round_trip_ms = monotonic() - begun_ms;
      const clock_difference_ms = Math.round(health.now_ms - (wallMs() - round_trip_ms / 2));
      answers.push({ ...health, round_trip_ms: Math.round(round_trip_ms * 10) / 10, clock_difference_ms });
    }
    const [middle] = answers.sort((a, b) => a.round_trip_ms - b.round_trip_ms).slice(QUESTIONS >> 1);
    return middle as SeenEngine;
  } finally {
    await line.end();
  }
}

/** Before a clone joins whose own tokens reached `lsn`: makes the shared ones continue above it. */
export async function leapBeyond(config: PostgresConfig, lsn: number): Promise<void> {
  const line = dial({ ...config, connections: 1 });
  try {
    await line.call('leap_1', [config.repository, lsn]);
  } finally {
    await line.end();
  }
}
