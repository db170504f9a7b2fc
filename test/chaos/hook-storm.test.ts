/**
 * Agents on two machines, their hooks, and the lease cache between them and an engine that fails in every way.
 * GUARD_HOOK_FAULTS=1000 GUARD_HOOK_SLOW_MS=5200 is the long run, GUARD_HOOK_MINUTES its limit.
 */
import { expect, test } from 'vitest';
import { hasPostgres } from '../store/postgres/programs.ts';
import { stormOfHooks } from './hook-storm.ts';

const FAULTS = Number(process.env['GUARD_HOOK_FAULTS'] ?? 3);
const SLOW_MS = Number(process.env['GUARD_HOOK_SLOW_MS'] ?? 2_400);
const MINUTES = Number(process.env['GUARD_HOOK_MINUTES'] ?? 5);

test.skipIf(!hasPostgres())(
  'hooks that rely on cached leases let no two agents write one file, deny none for its own write, and record each once',
  { timeout: (MINUTES + 2) * 60_000 },
  async () => {
    const { doubled, stale, unrecorded, figures } = await stormOfHooks({
      faults: FAULTS,
      slow_ms: SLOW_MS,
      until_ms: performance.now() + MINUTES * 60_000,
    });
    if (process.env['GUARD_CHAOS_REPORT'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect({ doubled, stale, unrecorded }).toEqual({ doubled: [], stale: [], unrecorded: [] });
    expect(figures.passed).toBeGreaterThan(0);
  },
);
