/** Main checkouts of machines that share an engine: a lease covers all of them, a write affects only one. */
import { describe, expect, it } from 'vitest';
import { elsewhereLines } from '../../src/core/elsewhere-words.ts';
import { Fleet, pass, TTL_MS } from './fleet.ts';

function named(scope?: 'together') {
  const fleet = new Fleet();
  fleet.policy = { ...fleet.policy, idle_ms: 100 * TTL_MS, lease_scope: scope ?? 'told' };
  const [A, B] = [fleet.machine('m-a', { clone: '~@a.r-1' }), fleet.machine('m-b', { clone: '~@b.r-2' })];
  const old = fleet.machine('m-c');
  return { fleet, A, B, old, a: A.session('a', 42), b: B.session('b', 42), c: old.session('c', 42) };
}

describe('of main checkouts of machines', () => {
  it('each has the lease of a path for all of them, those of older guards among them', () => {
    const { fleet, A, B, old, a, b, c } = named();
    expect([A.lock(a, 'f'), B.lock(b, 'f'), old.lock(c, 'f')]).toEqual([[true], [false], [false]]);
    expect(fleet.path('f').holds).toMatchObject([{ agent: a.id, clone: '~@a.r-1' }]);
    expect(fleet.path(A.file('f')).holds).toEqual([]);
    A.release(a, 'f');
    expect([old.lock(c, 'f'), A.lock(a, 'f'), B.lock(b, 'f')]).toEqual([[true], [false], [false]]);
  });

  it('an open write in one pins the lease, however long its agent says nothing', () => {
    const { fleet, A, B, old, a, b, c } = named();
    A.lock(a, 'f', 'g');
    expect(A.begin(a, 'f')).toMatchObject({ verdict: 'approved' });
    expect(fleet.path(A.file('f')).intent).toMatchObject({ agent: a.id });
    expect([fleet.path('f').intent, fleet.path(B.file('f')).intent]).toEqual([null, null]);
    pass(fleet, 2 * TTL_MS, A, B, old);
    expect([B.lock(b, 'g'), B.lock(b, 'f'), old.lock(c, 'f')]).toEqual([[true], [false], [false]]);
    A.run({ type: 'op.end', who: a, ops: null });
    pass(fleet, 2 * TTL_MS, A, B, old);
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  it('an open write in one is in nobody’s way in another, once its lease was given back', () => {
    const { A, B, a, b } = named();
    A.lock(a, 'f');
    A.begin(a, 'f');
    A.release(a, 'f');
    expect(B.lock(b, 'f')).toEqual([true]);
    expect(B.begin(b, 'f')).toMatchObject({ verdict: 'approved' });
  });

  it('a reservation in one keeps those of others off, and a file that is written there cannot be reserved', () => {
    const { A, B, a, b } = named();
    expect(A.reserve(a, 'd/**', TTL_MS)[0]?.reservation).not.toBeNull();
    expect(B.lock(b, 'd/x')).toEqual([false]);
    A.lock(a, 'e/x');
    A.begin(a, 'e/x');
    expect(B.reserve(b, 'e/**', TTL_MS)[0]?.conflicts).toMatchObject([{ agent_id: a.id, pattern: 'e/x' }]);
  });

  it('whoever waits in one goes first in the other', () => {
    const { fleet, A, B, a, b } = named();
    A.lock(a, 'f');
    B.wait(b, 'f');
    A.release(a, 'f');
    fleet.pass(1_000);
    expect(A.lock(a, 'f')).toEqual([false]);
    expect(B.wait(b, 'f')).toMatchObject({ acquired: true });
  });

  it('a change of what is one lease for all ends what was held, and grants by the new word alone', () => {
    const { fleet, A, B, a, b } = named();
    A.lock(a, 'f');
    fleet.policy = { ...fleet.policy, lease_scope: 'together' };
    B.present(b);
    expect(fleet.path('f').holds).toEqual([]);
    expect(() => B.lock(b, 'f')).toThrow('lease_scope');
    pass(fleet, TTL_MS, A, B);
    expect(B.lock(b, 'f')).toEqual([true]);
    expect(fleet.path('f').holds).toMatchObject([{ agent: b.id, at: '~@b.r-2' }]);
    expect(A.lock(a, 'f')).toEqual([false]);
  });

  it('a linked worktree of one is apart from it, and told of it by the names of machine and directory', () => {
    const { fleet, A, a, b } = named();
    const W = fleet.machine('m-b', { clone: '~@b.r-2~w' });
    A.lock(a, 'f');
    const [got] = W.run({
      ...{ type: 'lock.acquire', who: b, paths: [W.file('f')], mode: 'exclusive', ttl_ms: null, all: false },
      wait_until_mono_ms: null,
    });
    expect(got).toMatchObject({ acquired: true, elsewhere: [{ checkout: '~@a.r-1', does: 'holds' }] });
    expect(elsewhereLines(got?.elsewhere ?? [])[0]).toContain('"f" in the checkout a.r-1 (since');
    expect(elsewhereLines((got?.elsewhere ?? []).map((one) => ({ ...one, checkout: '' })))[0]).toContain(
      "another machine's",
    );
  });
});
