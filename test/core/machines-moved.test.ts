/** A session that continues on another machine has two lives; the second inherits nothing from the first. */
import { describe, expect, it } from 'vitest';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { identify } from '../../src/core/rules/identity.ts';
import { pair, pass, TTL_MS } from './fleet.ts';
import { subagent } from './world.ts';

const HOUR_MS = 3_600_000;

describe('an agent that goes on elsewhere', () => {
  it('has nothing there of what it had: no lease, no wait, no reservation, no subagent', () => {
    const { fleet, A, B, a, b } = pair();
    const moved = B.session('a', 77);
    const child = subagent(a, 's');
    A.lock(a, 'f');
    A.reserve(a, 'src/**', HOUR_MS);
    A.lock(child, 'own');
    B.lock(b, 'g');
    A.wait(a, 'g');
    fleet.pass(1_000);
    B.lock(moved, 'x');
    expect(fleet.agent(a)).toMatchObject({ epoch: 2, proc: { pid: 77 }, machine: { id: 'm-b' } });
    expect(fleet.agent(a)).not.toHaveProperty('children');
    // It holds what `b` waits for, and no longer waits for anything of `b`.
    expect(B.wait(b, 'x')).not.toHaveProperty('deadlock');
    expect(B.lock(b, 'f', 'src/y')).toEqual([true, true]);
    // The subagent from its first life continues without a parent.
    expect([A.holders('own'), B.holders('own')]).toEqual([[child.id], [child.id]]);
    expect(A.lock(child, 'x')).toEqual([false]);
    expect(fleet.agent(child)).toMatchObject({ parent: null, live: true });
  });

  it('does so though nobody knows its processes', () => {
    const { fleet, A, B } = pair();
    const a = A.session('a');
    A.lock(a, 'f');
    A.reserve(a, 'src/**', HOUR_MS);
    B.present(a);
    expect(fleet.agent(a)).toMatchObject({ epoch: 2, proc: null });
    expect(B.lock(B.session('b'), 'f', 'src/y')).toEqual([true, true]);
  });

  it('loses nothing there by what its former process still has to end', () => {
    const { fleet, A, B, a } = pair();
    A.lock(a, 'f');
    A.begin(a, 'f');
    const moved = B.session('a', 77);
    B.lock(moved, 'f');
    const records = fleet.records().length;
    expect(A.release(a, 'f')).toEqual([{ path: 'f', released: true, was_held: false, reserved: [] }]);
    A.run({ type: 'lock.release_all', who: a, held: ['f'] });
    A.run({ type: 'lock.unwait', who: a, paths: ['f'], cause: 'cancelled' });
    A.run({ type: 'turn.end', who: a, running: [] });
    A.run({ type: 'agent.leave', who: a, reason: 'end' });
    expect(fleet.records().length).toBe(records);
    expect([A.holders('f'), B.holders('f')]).toEqual([[a.id], [a.id]]);
    expect(B.release(moved, 'f')).toMatchObject([{ was_held: true }]);
  });

  it('is another one by name while the first machine is up, and the same once that is gone', () => {
    const { fleet, A, B, a } = pair();
    A.present(a);
    const identity = () => identify({ get: fleet.get }, a.id, B.proc(77), factsAmong(fleet.now, B.facts)).id;
    expect(identity()).toBe(`${a.id}~2`);
    pass(fleet, TTL_MS, B);
    expect(identity()).toBe(a.id);
  });

  it('takes nothing over as a subagent of a session that is elsewhere', () => {
    const { fleet, A, B, a } = pair();
    A.lock(a, 'f');
    const child = { ...subagent(a, 's'), proc: B.proc(77) };
    expect(A.lock(subagent(a, 'same'), 'f')).toEqual([true]);
    A.lock(a, 'g');
    expect(B.lock(child, 'g')).toEqual([false]);
    expect(fleet.agent(child)).toMatchObject({ parent: null, machine: { id: 'm-b' } });
    expect(A.holders('g')).toEqual([a.id]);
  });
});
