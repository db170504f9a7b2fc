/**
 * What is asked of an engine that machines share beside looks and commits: by the owner of its database, by doctor, and by whoever
 * measures it. The driver is loaded by asking for one, so that nobody else pays for it.
 */
import { sharedEngine, type SharedEngine } from './shared-engines.ts';

export type { SeenEngine } from './postgres/as-agent.ts';
export type { BenchFigures, BenchReport } from './postgres/bench/run.ts';

/** A row for each of them. */
const FLEETS = {
  postgres: () => import('./postgres/fleet.ts'),
} as const satisfies Readonly<Record<SharedEngine, unknown>>;

/** @param url an address of it, of an agent or of the owner */
export const fleetEngine = (url: string): ReturnType<(typeof FLEETS)[SharedEngine]> =>
  FLEETS[sharedEngine(url)]();
