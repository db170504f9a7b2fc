/**
 * Operations of a shared engine other than looks and commits, used by the owner of its database, by doctor and by
 * benchmarks. The driver is loaded on demand, so that other callers do not pay for it.
 */
import { sharedEngine, type SharedEngine } from './shared-engines.ts';

export type { SeenEngine } from './postgres/as-agent.ts';
export type { BenchFigures, BenchReport } from './postgres/bench/run.ts';

/** One row per shared engine. */
const FLEETS = {
  postgres: () => import('./postgres/fleet.ts'),
} as const satisfies Readonly<Record<SharedEngine, unknown>>;

/** @param url an address of the engine, either an agent's or the owner's */
export const fleetEngine = (url: string): ReturnType<(typeof FLEETS)[SharedEngine]> =>
  FLEETS[sharedEngine(url)]();
