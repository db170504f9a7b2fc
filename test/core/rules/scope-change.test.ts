/** What happens to leases when their scope changes, also over random histories. */
import { describe, expect, it } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { AGENTS } from '../../../src/core/keys.ts';
import { SCOPE } from '../../../src/core/lease-scope.ts';
import { viewOf } from '../../../src/core/fold.ts';
import { keptUntil } from '../../../src/core/kept-until.ts';
import { leasesNow } from '../../../src/core/leases.ts';
import { factsAmong } from '../../../src/core/rules/among-machines.ts';
import { operate } from '../../../src/store/operate.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemory } from '../../store/memory.ts';
import { pair, pass, TTL_MS } from '../fleet.ts';
import { agent, denialTypes, file, H1, missing, POLICY, proc, seen, type World } from '../world.ts';
import { a, as, b, c, got, MAIN, reserve, WA, wait, WB, worldOf } from './lease-scope.ts';

describe('a scope that changes while leases live', () => {
  const kinds = (world: World) => world.records.filter(({ type }) => type === 'revoke');

  it('ends those of before, says so, and never has two', () => {
    const world = worldOf('told');
    world.lock(a, WA);
    world.lock(b, WB);
    expect(got(as(world, 'together').lock(c, MAIN))).toEqual([true]);
    expect(kinds(world)).toMatchObject([
      { cause: 'scope', lease_scope: 'together', paths: [WA, WB] },
      { cause: 'scope' },
    ]);
    expect(denialTypes(world.begin(a, WA, 'o1', file(H1), seen(H1)))).toEqual(['LOCKED_BY_OTHER']);
    expect(world.look(leasesNow)).toHaveLength(1);
    const lost = world.run({ type: 'revoked.told', who: b });
    expect(lost).toMatchObject([{ path: WB, to: c.id, cause: 'scope' }]);
  });

  it('one that is still configured with the narrower scope goes by the wider one', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    expect(got(as(world, 'told').lock(b, WB))).toEqual([false]);
    expect(denialTypes(world.begin(b, WB, 'o1', file(H1), seen(H1)))).toEqual(['LOCKED_BY_OTHER']);
    expect(got(world.lock(b, '//wb/free'))).toEqual([true]);
    expect(got(as(world, 'together').lock(a, '//wa/free'))).toEqual([false]);
    expect(kinds(world)).toHaveLength(1);
  });

  it('the narrower one holds once nobody is here that was heard of under the wider one', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    world.lock(b, '//wb/other');
    as(world, 'told');
    expect(got(world.lock(a, '//wa/more'))).toEqual([true]);
    expect(world.states.get('scope:')).toMatchObject({ agents: [b.id] });
    expect(got(world.lock(b, WB))).toEqual([true]);
    expect(world.states.get('scope:')).toBeUndefined();
    expect(world.look(leasesNow)).toMatchObject([{ path: WB, holder: b.id }]);
    expect(world.look(leasesNow)[0]).not.toHaveProperty('checkout');
    expect(got(world.lock(c, WA))).toEqual([true]);
  });

  it('who is gone keeps no scope', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    world.run({ type: 'agent.leave', who: a, reason: 'other' });
    expect(got(as(world, 'told').lock(b, WB))).toEqual([true]);
    expect(world.states.get('scope:')).toBeUndefined();
  });

  it('ends reservations and places in queues, too', () => {
    const world = worldOf('told');
    reserve(world, a, '//wa/', 'src/**');
    world.lock(b, '//wb/y');
    wait(world, c, '//wb/y');
    expect(got(as(world, 'together').lock(b, WB))).toEqual([true]);
    expect(world.path('//wb/y')).toMatchObject({ holds: [], queue: [] });
    expect(world.states.get(`globs:${a.id}`)).toBeUndefined();
    expect(world.run({ type: 'revoked.told', who: a })).toMatchObject([
      { path: '//wa/src/**', cause: 'scope' },
    ]);
  });

  it('a lease of the other scope that an older guard left counts for nobody', () => {
    const world = worldOf('together');
    world.lock(a, WA);
    const older = world.path(MAIN).holds.map((hold) => ({ ...hold, at: undefined }));
    world.states.set(`path:${MAIN}`, { ...world.path(MAIN), holds: older } as never);
    expect(got(world.lock(b, WB))).toEqual([true]);
  });
});

describe('a scope that changes on a ledger that machines share', () => {
  /** A's agent has just locked a file, on which its machine relies for a while without asking. */
  function scene(lease_scope: 'told' | 'together') {
    const { fleet, A, B, a: holder, b: other } = pair();
    fleet.policy = { ...fleet.policy, idle_ms: TTL_MS, lease_scope };
    const first = B.session('first', 43);
    B.present(first);
    fleet.policy = { ...fleet.policy, lease_scope: 'told' };
    expect(A.lock(holder, 'f')).toEqual([true]);
    const [hold] = fleet.path('f').holds;
    const facts = factsAmong(fleet.now, A.facts);
    const relied = hold && keptUntil(viewOf(fleet.snapshot()), 'f', hold, facts);
    const relied_ms = Number(relied?.until_mono_ms) - fleet.now.mono_ms;
    expect(relied_ms).toBeGreaterThan(TTL_MS / 2);
    return { fleet, A, B, first, other, relied_ms };
  }

  const outcome = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return isGuardError(error) ? error.code : error;
    }
  };

  it.each(['told', 'together'] as const)(
    'grants nothing while another machine relies on a lease of before (%s)',
    (before) => {
      const { fleet, A, B, first, other, relied_ms } = scene(before);
      if (before === 'told') fleet.policy = { ...fleet.policy, lease_scope: 'together' };
      else B.run({ type: 'agent.leave', who: first, reason: 'other' });
      B.present(other);
      expect(fleet.path('f').holds).toEqual([]);
      expect(outcome(() => B.lock(other, 'f'))).toBe('GUARD_ERR_BUSY');
      expect(outcome(() => B.reserve(other, '*', TTL_MS))).toBe('GUARD_ERR_BUSY');
      pass(fleet, relied_ms, A, B);
      expect(outcome(() => B.lock(other, 'f'))).toBe('GUARD_ERR_BUSY');
      // What is no grant is recorded meanwhile.
      expect(B.present(other)).toMatchObject({ live: true });
      pass(fleet, TTL_MS - relied_ms, A, B);
      expect(B.lock(other, 'f')).toEqual([true]);
      const isWide = before === 'told';
      expect(fleet.get('scope:') !== undefined).toBe(isWide);
    },
  );

  it('grants at once what only agents of the same machine held, which hears of the end', () => {
    const { fleet, A, B, other } = scene('told');
    A.run({ type: 'agent.leave', who: A.session('a', 42), reason: 'other' });
    expect(B.lock(B.session('second', 44), 'g')).toEqual([true]);
    fleet.policy = { ...fleet.policy, lease_scope: 'together' };
    expect(B.lock(other, 'g')).toEqual([true]);
  });
});

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SEEDS = Number(process.env['GUARD_SCOPE_HISTORIES'] ?? 60);
const STEPS = Number(process.env['GUARD_SCOPE_STEPS'] ?? 100);

describe('the scope on an engine that machines share', () => {
  it('is looked up by its key: lists of agents are only asked for when it changes', () => {
    const engine = openMemory({ now: () => ({ mono_ms: 1, wall_ms: 1, boot: 'e' }), shared: true });
    const lists: string[] = [];
    const look: Store['look'] = (keys, indexes = []) => {
      lists.push(...indexes.map(({ below }) => below));
      return engine.look(keys, indexes);
    };
    const store: Store = { ...engine, look };
    delete (store as { still?: unknown }).still;
    const now = { mono_ms: 1, wall_ms: 1, boot: 'm' };
    const policy = { ...POLICY, lease_scope: 'together' } as const;
    const facts = { ...{ now, policy, machine: 'm', guard_command: 'guard' }, isDead: () => false };
    const join = (who: typeof a) => operate(store, { type: 'agent.present', who }, facts);
    join(a);
    expect(lists).toContain(AGENTS);
    expect(engine.look([SCOPE]).get(SCOPE)).toEqual({ agents: [a.id] });
    lists.length = 0;
    join(b);
    expect(lists).toEqual([]);
    expect(engine.look([SCOPE]).get(SCOPE)).toEqual({ agents: [a.id, b.id] });
    const lock = { paths: [WA], mode: 'exclusive', ttl_ms: null, all: false } as const;
    operate(store, { type: 'lock.acquire', who: b, ...lock, wait_until_mono_ms: null }, facts);
    expect(lists).toEqual([]);
  });
});

describe('random histories over three checkouts', () => {
  const agents = ['p', 'q', 'r', 's'].map((name, nth) => agent(name, { proc: proc(nth + 1) }));
  const files = ['x', 'y', 'z'].flatMap((name) => ['', '//wa/', '//wb/'].map((checkout) => checkout + name));
  const rel = (path: string): string => path.replace(/^\/\/\w+\//, '');

  /** An approved write: until it ends, no other agent may be approved for a conflicting one. */
  interface Open {
    readonly who: string;
    readonly path: string;
    readonly op: string;
    /** The number of the wide scope it was approved under; 0 if none. A change of scope ends earlier holds. */
    readonly wide: number;
  }

  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'never let two write what one lease covers (%i)',
    (seed) => {
      const random = randomOf(seed + 1);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const world = worldOf('together', { enforcement: seed % 3 === 0 ? 'auto' : 'required' });
      const mixed = seed % 2 === 1;
      const open: Open[] = [];
      for (let step = 0; step < STEPS; step++) {
        const who = pick(agents);
        const path = pick(files);
        as(world, mixed && random() < 0.4 ? 'told' : 'together');
        const mine = open.findIndex((one) => one.who === who.id);
        const roll = random();
        if (mine >= 0 && roll < 0.6) {
          const [done] = open.splice(mine, 1);
          if (done) world.end(who, done.path, done.op, H1);
        } else if (roll < 0.3) world.lock(who, path);
        else if (roll < 0.4) wait(world, who, path);
        else if (roll < 0.5) world.run({ type: 'lock.release', who, paths: [path] });
        else if (roll < 0.55) world.run({ type: 'turn.end', who, running: null });
        else if (roll < 0.6) world.pass(random() < 0.1 ? POLICY.ttl_ms : POLICY.idle_ms / 3);
        else if (roll < 0.65) reserve(world, who, pick(['', '//wa/', '//wb/']), pick(['x', '*']));
        else if (mine < 0) {
          const op = `op-${step}`;
          if (world.begin(who, path, op, missing).verdict === 'approved') {
            const changes = world.records.filter(({ cause }) => cause === 'scope').length;
            const wide = world.states.get('scope:') === undefined ? 0 : changes;
            const others = open.filter((one) =>
              wide > 0 && one.wide === wide ? rel(one.path) === rel(path) : one.path === path,
            );
            expect(others, `${seed}/${step}`).toEqual([]);
            open.push({ who: who.id, path, op, wide });
          }
        }
        // Whichever scope applies, a file has at most one exclusive holder.
        const exclusive = world.look(leasesNow).filter(({ mode }) => mode === 'exclusive');
        const names = exclusive.map((one) => one.path);
        expect(new Set(names).size, `${seed}/${step}`).toBe(names.length);
        const wide = exclusive.filter(({ checkout }) => checkout !== undefined);
        expect(wide.length === 0 || wide.length === exclusive.length).toBe(true);
      }
    },
  );
});
