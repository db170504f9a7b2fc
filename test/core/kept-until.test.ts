/** How long a machine may rely on a lease: never past the point to which an unrelated event may shorten it. */
import { expect, test } from 'vitest';
import { keptUntil } from '../../src/core/kept-until.ts';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { viewOf } from '../../src/core/fold.ts';
import { Fleet, type Machine } from './fleet.ts';

const MINUTE_MS = 60_000;

/** `null` if the lease may not be relied on at all. */
function keptFor(fleet: Fleet, at: Machine, path: string): number | null {
  const [hold] = fleet.path(path).holds;
  if (hold === undefined) return null;
  const kept = keptUntil(viewOf(fleet.snapshot()), path, hold, factsAmong(fleet.now, at.facts));
  return kept && kept.until_mono_ms - fleet.now.mono_ms;
}

test('a lease is kept no longer during a call than after it: another machine gets it a silence after the end', () => {
  const fleet = new Fleet();
  const [A, B] = [fleet.machine('m-a'), fleet.machine('m-b')];
  const a = A.session('a', 42);
  A.lock(a, 'f');
  const until_mono_ms = A.mono_ms + 10 * MINUTE_MS;
  A.run({
    type: 'call.begin',
    who: a,
    call: { id: 'c', tool: 'Bash', since_mono_ms: A.mono_ms, until_mono_ms },
  });
  const kept_ms = keptFor(fleet, A, 'f') ?? 0;
  expect(kept_ms).toBeGreaterThan(MINUTE_MS);
  fleet.pass(1_000);
  A.run({ type: 'op.end', who: a, ops: ['c'] });
  // Earlier caching does not extend the lease: since the call ended, no one has asked about the file.
  fleet.pass(fleet.policy.idle_ms);
  expect(B.lock(B.session('b', 42), 'f')).toEqual([true]);
  expect(kept_ms).toBeLessThan(fleet.policy.idle_ms);
});

test('a lease is kept no longer during a write than after it', () => {
  const fleet = new Fleet();
  const A = fleet.machine('m-a');
  const a = A.session('a', 42);
  A.lock(a, 'f');
  A.begin(a, 'f');
  expect(keptFor(fleet, A, 'f')).toBeLessThan(fleet.policy.idle_ms);
});
