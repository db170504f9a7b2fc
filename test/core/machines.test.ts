/** Two machines, one ledger: the engine's clock counts, and each machine checks only its processes (decision 204). */
import { describe, expect, it } from 'vitest';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { Fleet, TTL_MS } from './fleet.ts';

const MINUTE_MS = 60_000;

function pair() {
  const fleet = new Fleet();
  return { fleet, A: fleet.machine('m-a'), B: fleet.machine('m-b', { up_ms: 9_000 }) };
}

describe('on two machines that share an engine', () => {
  it('a lease of a known process elsewhere holds', () => {
    const { fleet, A, B } = pair();
    const a = A.session('a', 42);
    expect(A.lock(a, 'f')).toEqual([true]);
    fleet.pass(1_000);
    expect(B.lock(B.session('b', 42), 'f')).toEqual([false]);
    expect([A.holders('f'), B.holders('f')]).toEqual([[a.id], [a.id]]);
  });

  it('a lease of an agent elsewhere whose process is not known holds', () => {
    const { fleet, A, B } = pair();
    A.lock(A.session('a'), 'f');
    fleet.pass(1_000);
    expect(B.lock(B.session('b'), 'f')).toEqual([false]);
    expect(fleet.path('f').holds.map(({ agent }) => agent)).toEqual(['claude-a']);
  });

  it('a lease holds for its ttl whatever the wall clocks of the machines say', () => {
    const fleet = new Fleet();
    const [A, B] = [fleet.machine('m-a'), fleet.machine('m-b', { ahead_ms: 11 * MINUTE_MS + TTL_MS })];
    const [a, b] = [A.session('a', 42), B.session('b', 42)];
    A.lock(a, 'f');
    A.begin(a, 'f');
    fleet.pass(1_000);
    expect(B.lock(b, 'f')).toEqual([false]);
    expect(
      B.run({
        type: 'lock.acquire',
        who: b,
        paths: ['f'],
        mode: 'exclusive',
        ttl_ms: null,
        all: false,
        wait_until_mono_ms: null,
      })[0],
    ).toMatchObject({
      holder: a.id,
      expires_at: new Date(fleet.now.wall_ms + TTL_MS - 1_000).toISOString(),
    });
  });

  it('the first in the queue goes first, though a wait is told by the clock of its machine', () => {
    const { fleet, A, B } = pair();
    const [a, b, c] = [A.session('a', 42), B.session('b', 42), A.session('c', 43)];
    A.lock(a, 'f');
    fleet.pass(1_000);
    B.wait(b, 'f');
    fleet.pass(1_000);
    A.release(a, 'f');
    fleet.pass(1_000);
    expect([A.queue('f'), B.queue('f')]).toEqual([[b.id], [b.id]]);
    expect(A.lock(c, 'f')).toEqual([false]);
    expect(B.wait(b, 'f')).toMatchObject({ acquired: true });
  });

  it('a circle is found', () => {
    const { fleet, A, B } = pair();
    const [a, b] = [A.session('a', 42), B.session('b', 42)];
    A.lock(a, 'f');
    B.lock(b, 'g');
    fleet.pass(1_000);
    A.wait(a, 'g');
    fleet.pass(1_000);
    expect(B.wait(b, 'f')).toMatchObject({ acquired: false, error: 'DEADLOCK', deadlock: { victim: b.id } });
    expect(A.wait(a, 'g')).toMatchObject({ acquired: false, deadlock: { victim: b.id } });
  });

  it('one session that goes on elsewhere is two lives', () => {
    const { fleet, A, B } = pair();
    A.lock(A.session('a', 42), 'f');
    fleet.pass(1_000);
    B.lock(B.session('a', 42), 'g');
    expect(fleet.agent(B.session('a'))).toMatchObject({ epoch: 2, machine: { id: 'm-b' }, boot: 'engine-1' });
    expect([A.holders('f'), B.holders('f'), A.holders('g')]).toEqual([[], [], ['claude-a']]);
  });

  it('two of one host name without an id and a boot of their own stay apart', () => {
    const fleet = new Fleet();
    const named = { id: 'host:build', boot: 'unknown:x' };
    const [A, B] = [fleet.machine('', named), fleet.machine('', { ...named, up_ms: 9_000_000_000 })];
    B.dead.add(42);
    const a = A.session('a', 42);
    A.lock(a, 'f');
    fleet.pass(1_000);
    expect(B.lock(B.session('b', 77), 'f')).toEqual([false]);
    expect([A.holders('f'), B.holders('f')]).toEqual([[a.id], [a.id]]);
  });

  it('two of one host name with boots of their own are two: neither ends what the other holds', () => {
    const fleet = new Fleet();
    const [A, B] = ['1', '2'].map((boot) => fleet.machine('', { id: 'host:build', boot }));
    A?.lock(A.session('a', 42), 'f');
    fleet.pass(1_000);
    expect(B?.lock(B.session('b', 42), 'f')).toEqual([false]);
    fleet.pass(1_000);
    A?.beat();
    B?.beat();
    expect(B?.lock(B.session('b', 42), 'f')).toEqual([false]);
  });

  it('without an id is known by its own boot, though its facts tell the time of the engine', () => {
    const { fleet, A } = pair();
    const facts = { ...A.facts, now: fleet.now, machine: 'host:build', machine_boot: 'boot-1' };
    expect(factsAmong(fleet.now, facts)).toMatchObject({
      machine: 'host:build boot-1',
      machine_boot: 'boot-1',
    });
  });
});
