/** The clock of an engine that machines share, and what remains when another engine replaces it. */
import { describe, expect, it } from 'vitest';
import { type Fleet, pair, TTL_MS } from './fleet.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("an engine's clock that took the place of another one", () => {
  const failover = (fleet: Fleet, wall_ms: number): void => {
    fleet.now = { mono_ms: 0, boot: 'engine-2', wall_ms: fleet.now.wall_ms + wall_ms };
  };

  it.each([-HOUR_MS, 0, HOUR_MS])(
    'ends a lease only when its time has passed once more, with a wall clock %i ms off',
    (off_ms) => {
      const { fleet, A, B, a, b } = pair();
      A.lock(a, 'f');
      A.reserve(A.session('r', 5), 'src/**', HOUR_MS);
      fleet.pass(MINUTE_MS);
      failover(fleet, off_ms);
      B.beat();
      fleet.pass(TTL_MS - 1);
      A.beat();
      expect(B.lock(b, 'f', 'src/y')).toEqual([false, false]);
      expect([A.holders('f'), B.holders('f')]).toEqual([[a.id], [a.id]]);
      fleet.pass(1);
      expect(B.lock(b, 'f', 'src/y')).toEqual([true, false]);
    },
  );

  it('ends what an agent held when it acts again: that is another life', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    A.begin(a, 'f');
    failover(fleet, 0);
    expect(B.lock(b, 'f')).toEqual([false]);
    A.present(a);
    expect(fleet.agent(a)).toMatchObject({ epoch: 2, boot: 'engine-2' });
    expect(B.lock(b, 'f')).toEqual([true]);
    expect(A.lock(a, 'f')).toEqual([false]);
  });

  it('does not keep up a machine that is heard of no more', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    A.begin(a, 'f');
    failover(fleet, 0);
    fleet.pass(TTL_MS - 1);
    expect(B.lock(b, 'f')).toEqual([false]);
    fleet.pass(1);
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  it('keeps the lives of the machines that go on beating', () => {
    const { fleet, A } = pair();
    A.beat();
    const { epoch } = fleet.beats(A) ?? {};
    failover(fleet, 0);
    fleet.pass(TTL_MS - 1);
    A.beat();
    expect(fleet.beats(A)).toMatchObject({ epoch, boot: 'engine-2', until_mono_ms: 2 * TTL_MS - 1 });
  });

  it('ends places in queues: whoever looks again has one', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    B.wait(b, 'f');
    failover(fleet, 0);
    expect(B.queue('f')).toEqual([]);
    B.wait(b, 'f');
    expect(A.queue('f')).toEqual([b.id]);
  });
});
