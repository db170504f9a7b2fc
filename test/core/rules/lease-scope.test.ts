/** In which checkouts a lease counts: apart, told, together. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import { leasesNow } from '../../../src/core/leases.ts';
import type { Policy } from '../../../src/core/types.ts';
import { denialTypes, file, H1, H2, missing, POLICY, seen, World } from '../world.ts';
import { a, b, c, got, MAIN, reserve, WA, wait, WB, worldOf } from './lease-scope.ts';

describe('leases that are apart', () => {
  it.each([undefined, 'apart'] as const)('are of one checkout each, and say nothing (%s)', (scope) => {
    const world = worldOf(scope);
    world.lock(a, WA);
    const [row] = world.lock(b, WB);
    expect(row).toMatchObject({ acquired: true });
    expect(row).not.toHaveProperty('elsewhere');
    expect(world.states.get('scope:')).toBeUndefined();
  });
});

describe('leases that are told', () => {
  it('are granted in each checkout, and the grant says who has the same path elsewhere', () => {
    const world = worldOf('told');
    world.lock(a, WA);
    const [row] = world.lock(b, WB);
    expect(row).toMatchObject({
      ...{ acquired: true, path: WB },
      elsewhere: [{ path: WB, checkout: 'wa', agent: a.id, does: 'holds' }],
    });
    const [main] = world.lock(c, MAIN);
    expect(main?.elsewhere?.map(({ checkout, agent: who }) => [checkout, who]).sort()).toEqual([
      ['wa', a.id],
      ['wb', b.id],
    ]);
  });

  it('are told once, and again of new content', () => {
    const world = worldOf('told');
    world.lock(a, WA);
    expect(world.lock(b, WB)[0]?.elsewhere).toHaveLength(1);
    expect(world.lock(b, WB)[0]).not.toHaveProperty('elsewhere');
    world.begin(a, WA, 'o1', file(H1), seen(H1));
    world.end(a, WA, 'o1', H2);
    world.run({ type: 'lock.release', who: a, paths: [WA] });
    expect(world.lock(b, WB)[0]?.elsewhere).toMatchObject([{ does: 'wrote', agent: a.id }]);
    expect(world.lock(b, WB)[0]).not.toHaveProperty('elsewhere');
  });

  it('the end of a write says who changed the path elsewhere, unless it is the same by now', () => {
    const world = worldOf('told', { enforcement: 'auto' });
    world.begin(a, WA, 'o1', file(H1), seen(H1));
    world.end(a, WA, 'o1', H2);
    world.run({ type: 'turn.end', who: a, running: null });
    world.begin(b, MAIN, 'o2', file(H1), seen(H1));
    expect(world.end(b, MAIN, 'o2', H1)[0]?.elsewhere).toMatchObject([{ checkout: 'wa', does: 'wrote' }]);
    world.begin(c, WB, 'o3', file(H1), seen(H1));
    expect(world.end(c, WB, 'o3', H2)[0]?.elsewhere?.map(({ checkout }) => checkout)).toEqual(['']);
  });

  it('what was written long ago is not told', () => {
    const world = worldOf('told', { enforcement: 'auto' });
    world.begin(a, WA, 'o1', file(H1), seen(H1));
    world.end(a, WA, 'o1', H2);
    world.run({ type: 'agent.leave', who: a, reason: 'other' });
    expect(world.pass(86_400_001).lock(b, WB)[0]).not.toHaveProperty('elsewhere');
  });

  it('cost one look-up where there is no linked worktree', () => {
    const read = (policy: Policy): string[] => {
      const keys: string[] = [];
      const world = new World();
      world.policy = policy;
      world.look((view, facts) =>
        decide(
          { ...view, get: (key) => (keys.push(key), view.get(key)) },
          {
            ...{ type: 'lock.acquire', who: a, paths: [MAIN], mode: 'exclusive', ttl_ms: null },
            ...{ all: false, wait_until_mono_ms: null },
          },
          facts,
        ),
      );
      return keys;
    };
    const told = read({ ...POLICY, lease_scope: 'told' });
    expect(told.filter((key) => !read(POLICY).includes(key))).toEqual([]);
    expect(told.filter((key) => key === 'checkouts:')).toHaveLength(1);
  });
});

describe('leases that count together', () => {
  it('are one for all checkouts, and say where their holder works', () => {
    const world = worldOf('together');
    expect(got(world.lock(a, WA))).toEqual([true]);
    expect(world.lock(b, WB)).toMatchObject([
      { path: WB, acquired: false, holder: a.id, refused: { because: 'hold', checkout: 'wa' } },
    ]);
    expect(got(world.lock(c, MAIN))).toEqual([false]);
    expect(world.look(leasesNow)).toMatchObject([{ path: MAIN, holder: a.id, checkout: 'wa' }]);
    expect(world.look(leasesNow)[0]?.holder_state).toContain('in worktree wa');
  });

  it('of one file in two checkouts there is one grant', () => {
    const world = worldOf('together');
    const rows = world.lock(a, WA, WB, MAIN);
    expect(rows.map(({ path }) => path)).toEqual([WA, WB, MAIN]);
    expect(new Set(rows.map(({ token }) => token)).size).toBe(1);
    expect(world.look(leasesNow)).toHaveLength(1);
  });

  it('cover their holder in any checkout; intents, writes and baselines stay with the file', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    expect(world.begin(a, WB, 'o1', file(H1), seen(H1)).verdict).toBe('approved');
    expect(world.path(WB).intent).toMatchObject({ agent: a.id });
    expect(world.path(MAIN)).toMatchObject({ intent: null, touched: 0 });
    world.end(a, WB, 'o1', H2);
    expect(world.path(WB).last_write).toMatchObject({ digest: H2 });
    expect(world.path(MAIN).last_write).toBeNull();
  });

  it('deny a write in every checkout, and let it pass when they end', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    const denied = world.begin(b, WB, 'o1', file(H1), seen(H1));
    expect(denialTypes(denied)).toEqual(['LOCKED_BY_OTHER']);
    expect(JSON.stringify(denied)).toContain('in worktree wa');
    world.run({ type: 'lock.release', who: a, paths: [MAIN] });
    expect(got(world.lock(b, WB))).toEqual([true]);
    expect(world.begin(b, WB, 'o2', file(H1), seen(H1)).verdict).toBe('approved');
  });

  it('a write that is open in any checkout pins the lease', () => {
    const world = worldOf('together');
    world.lock(a, MAIN);
    expect(world.begin(a, WA, 'o1', missing).verdict).toBe('approved');
    world.pass(2 * POLICY.ttl_ms - 10);
    expect(got(world.lock(b, WB))).toEqual([false]);
    world.end(a, WA, 'o1', H1);
    world.pass(POLICY.ttl_ms + 1);
    expect(got(world.lock(b, WB))).toEqual([true]);
  });

  it('under auto the first write takes it for all', () => {
    const world = worldOf('together', { enforcement: 'auto' });
    expect(world.begin(a, WA, 'o1', file(H1), seen(H1)).verdict).toBe('approved');
    expect(denialTypes(world.begin(b, WB, 'o2', file(H1), seen(H1)))).toEqual(['LOCKED_BY_OTHER']);
    expect(denialTypes(world.begin(c, MAIN, 'o3', file(H1), seen(H1)))).toEqual(['LOCKED_BY_OTHER']);
  });

  it('have one queue', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    wait(world, b, WB);
    expect(wait(world, c, MAIN)).toMatchObject([{ refused: { place: 2, waiters: 1 } }]);
    world.run({ type: 'lock.release', who: a, paths: [WA] });
    expect(got(wait(world, c, MAIN))).toEqual([false]);
    expect(got(wait(world, b, WB))).toEqual([true]);
    world.run({ type: 'lock.unwait', who: c, paths: [MAIN], cause: 'cancelled' });
    expect(world.path(MAIN).queue).toEqual([]);
  });

  it('a deadlock over two checkouts is found, and named in the checkout of whoever is told', () => {
    const world = worldOf('together');
    world.lock(a, '//wa/one');
    world.lock(b, '//wb/two');
    wait(world, a, '//wa/two');
    const [dead] = wait(world, b, '//wb/one');
    expect(dead).toMatchObject({ path: '//wb/one', error: 'DEADLOCK', deadlock: { victim: b.id } });
    expect(dead?.deadlock?.release).toEqual(['//wb/two']);
    expect(dead?.deadlock?.cycle.map(({ path }) => path).sort()).toEqual(['//wb/one', '//wb/two']);
    const denied = world.begin(b, '//wb/one', 'o', file(H1), seen(H1));
    expect(denialTypes(denied)).toContain('DEADLOCK');
    world.run({ type: 'lock.release', who: b, paths: ['//wb/two'] });
    expect(got(wait(world, a, '//wa/two'))).toEqual([true]);
  });

  it('reservations match in every checkout', () => {
    const world = worldOf('together');
    const [made] = reserve(world, a, '//wa/', 'src/**');
    expect(made?.reservation).toMatchObject({ scope: '', at: 'wa' });
    expect(world.lock(b, WB)).toMatchObject([
      { acquired: false, refused: { because: 'reservation', checkout: 'wa' } },
    ]);
    expect(reserve(world, b, '', 'src/x.ts')[0]?.conflicts).toMatchObject([
      { agent_id: a.id, checkout: 'wa' },
    ]);
    expect(world.begin(a, MAIN, 'o', missing).verdict).toBe('approved');
  });

  it('what is being written in another checkout under a reservation that ended is not reserved by others', () => {
    const world = worldOf('together');
    reserve(world, a, '//wa/', 'src/**');
    world.begin(a, WA, 'o', missing);
    world.pass(600_000);
    expect(reserve(world, b, '//wb/', 'src/*.ts')[0]).toMatchObject({ reservation: null });
    expect(reserve(world, b, '//wb/', 'docs/**')[0]?.reservation).toMatchObject({ scope: '' });
  });

  it('can be asked for from any checkout', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    const meant = { file: 'src/x.ts', scope: '//wb/', pattern: 'src/x.ts', path: WB };
    const asked = {
      type: 'negotiate.request',
      who: b,
      to: a.id,
      meant,
      reason: 'r',
      urgency: 'normal',
    } as const;
    expect(world.run({ ...asked, thread_id: 't' }).error).toBeNull();
    const answer = {
      type: 'negotiate.respond',
      who: a,
      requester: b.id,
      thread_id: 't',
      action: 'release',
    } as const;
    const own = { ...meant, scope: '//wa/', path: WA };
    expect(world.run({ ...answer, meant: own, eta_minutes: 0, reason: '' })).toMatchObject({
      ...{ error: null, released: { paths: [MAIN] } },
    });
    expect(got(world.lock(c, WB))).toEqual([false]);
    expect(got(world.lock(b, WB))).toEqual([true]);
  });
});
