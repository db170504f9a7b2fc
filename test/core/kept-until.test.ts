/** How long a machine may rely on a lease: never past the point to which an unrelated event may shorten it. */
import { describe, expect, test } from 'vitest';
import { keptUntil } from '../../src/core/kept-until.ts';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { viewOf } from '../../src/core/fold.ts';
import { pathKey } from '../../src/core/keys.ts';
import type { Json } from '../../src/core/ledger.ts';
import type { Policy } from '../../src/core/types.ts';
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

describe('machines with different policies', () => {
  const machines = (theirs: Partial<Policy>, ours: Partial<Policy> = {}) => {
    const fleet = new Fleet();
    const [A, B] = [fleet.machine('m-a', { policy: ours }), fleet.machine('m-b', { policy: theirs })];
    return { fleet, A, B, a: A.session('a', 42), b: B.session('b', 42) };
  };

  test.each([
    ['a shorter idle time where the other agent asks', { idle_ms: 5_000 }, {}],
    ['a longer one where the lease is held', {}, { idle_ms: 24 * 60 * MINUTE_MS }],
    ['a shorter ttl where the other agent asks', { ttl_ms: 10_000, idle_ms: 5_000 }, {}],
  ])('a lease is granted to no one else while its machine relies on it: %s', (_name, theirs, ours) => {
    const { fleet, A, B, a, b } = machines(theirs, ours);
    A.lock(a, 'f');
    const kept_ms = keptFor(fleet, A, 'f') ?? 0;
    expect(kept_ms).toBeGreaterThan(2 * MINUTE_MS);
    fleet.pass(kept_ms);
    A.beat();
    expect(B.lock(b, 'f')).toEqual([false]);
    fleet.pass(Math.min(A.policy.ttl_ms, Math.max(A.policy.idle_ms, B.policy.idle_ms)) - kept_ms);
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  test('a longer idle time where the other agent asks still counts', () => {
    const { fleet, A, B, a, b } = machines({ idle_ms: 10 * MINUTE_MS });
    A.lock(a, 'f');
    fleet.pass(5 * MINUTE_MS);
    expect(B.lock(b, 'f')).toEqual([false]);
  });

  test("an open write of an agent whose process is unknown lasts for the writer's ttl, not the asker's", () => {
    const { fleet, A, B, b } = machines({ ttl_ms: 10_000, idle_ms: 5_000 });
    const a = A.session('a');
    A.lock(a, 'f');
    A.begin(a, 'f');
    fleet.pass(A.policy.ttl_ms - 1);
    A.beat();
    expect(B.lock(b, 'f')).toEqual([false]);
    fleet.pass(1);
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  test('a lease that an older guard recorded without an idle time yields as before', () => {
    const { fleet, A, B, a, b } = machines({});
    A.lock(a, 'f');
    const { holds, ...state } = fleet.path('f');
    const older = holds.map((hold) => ({ ...hold, idle_ms: undefined }));
    fleet.store.commit({ tip: fleet.store.tip(), keys: new Map(), lists: [] }, [
      {
        type: 'older',
        agent: a.id,
        ts_ms: 0,
        s: { [pathKey('f')]: { ...state, holds: older } as unknown as Json },
      },
    ]);
    fleet.pass(B.policy.idle_ms);
    expect(B.lock(b, 'f')).toEqual([true]);
  });
});
