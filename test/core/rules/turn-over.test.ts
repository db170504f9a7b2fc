/** The next event of a turn takes its end back; what was granted to others meanwhile stays lost. */
import { describe, expect, it } from 'vitest';
import { isTurnGone } from '../../../src/core/alive.ts';
import { goesAt } from '../../../src/core/yielding.ts';
import { outlookOf } from '../../../src/core/outlook.ts';
import { statusOf } from '../../../src/core/report.ts';
import { agentKey, pathKey } from '../../../src/core/keys.ts';
import type { Json } from '../../../src/core/ledger.ts';
import { newHold } from '../../../src/core/rules/grant.ts';
import { changesOver } from '../../../src/core/states.ts';
import { agent, denialTypes, file, H1, missing, POLICY, proc, subagent, World } from '../world.ts';
import type { Who } from '../../../src/core/rules/who.ts';

const a = agent('a', { proc: proc(1) });
const b = agent('b', { proc: proc(2) });
const GRACE_MS = 3_000;

const end = (world: World, grace_ms = GRACE_MS, running: readonly string[] | null = []) =>
  world.run({ type: 'turn.end', who: a, running, grace_ms });
const working = (world: World) => world.run({ type: 'agent.present', who: a, at_work: true });
const gets = (world: World, who: Who = b, path = 'x') => world.lock(who, path)[0]?.acquired;
const waits = (world: World, who: Who, path = 'x') =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode: 'exclusive',
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: world.mono_ms + 60_000,
  })[0]?.acquired;

function stopped(grace_ms = GRACE_MS): World {
  const world = new World();
  world.lock(a, 'x', 'y');
  end(world, grace_ms);
  return world;
}

describe('a turn that is over', () => {
  it('keeps its leases for the grace, and not a moment longer', () => {
    const world = stopped();
    expect(gets(world.pass(GRACE_MS - 10))).toBe(false);
    expect(gets(world.pass(10))).toBe(true);
  });

  it('says when they go, and every report agrees once they went', () => {
    const world = stopped();
    const [hold] = world.path('x').holds;
    if (hold === undefined) throw new Error('no lease');
    const since = world.agent(a)?.turn_over?.since_mono_ms ?? 0;
    const at = () => world.look((view, facts) => goesAt(changesOver(view), 'x', hold, facts));
    expect(at()).toBe(since + GRACE_MS);
    const outlook = world.look((view, facts) => outlookOf(changesOver(view), 'x', hold, facts));
    expect(outlook.holder_state).toMatch(/^its turn has ended, yields in \d+ s$/);
    expect(Date.parse(outlook.expires_at) - world.wall_ms).toBe(since + GRACE_MS - world.mono_ms);
    expect(world.look(statusOf).leases.map(({ path }) => path)).toEqual(['x', 'y']);
    world.pass(GRACE_MS);
    expect(world.look(statusOf).leases).toEqual([]);
    expect(world.run({ type: 'lock.release', who: a, paths: ['x'] })).toMatchObject([{ was_held: false }]);
  });

  it('is no deadlock with who waits for it, and no edge once its leases went', () => {
    const world = stopped();
    world.lock(b, 'z');
    waits(world, b);
    expect(world.look(statusOf)).toMatchObject({ waits: [{ from: b.id, to: a.id }], cycles: [] });
    world.pass(GRACE_MS);
    expect(world.look(statusOf).waits).toEqual([]);
  });

  it('lets whoever waits first have it, not whoever comes first', () => {
    const world = stopped();
    expect(waits(world, b)).toBe(false);
    world.pass(GRACE_MS);
    expect(gets(world, agent('c'))).toBe(false);
    expect(waits(world, b)).toBe(true);
  });

  it.each<[string, (world: World) => unknown]>([
    ['a call of a tool', working],
    ['a write', (world) => world.begin(a, 'x', 'op', missing)],
    [
      'a background command',
      (world) => world.run({ type: 'background', who: a, started: [], finished: ['t'] }),
    ],
  ])('goes on with %s: the leases stay, and the end that follows counts anew', (_, happen) => {
    const world = stopped();
    happen(world.pass(GRACE_MS - 100));
    expect(world.agent(a)?.turn_over).toBeUndefined();
    expect(gets(world.pass(10 * GRACE_MS))).toBe(false);
    end(world);
    expect(gets(world.pass(GRACE_MS))).toBe(true);
  });

  it.each<[string, (world: World) => unknown]>([
    ['a sign of life that says nothing of work', (world) => world.run({ type: 'agent.present', who: a })],
    ['a command that asks for another lock', (world) => world.lock(a, 'z')],
    ['a waiter that was left behind', (world) => waits(world, a, 'held')],
    ['an end that is told twice', (world) => end(world)],
  ])('does not go on with %s', (_, happen) => {
    const world = stopped();
    world.lock(b, 'held');
    happen(world);
    expect(gets(world.pass(GRACE_MS))).toBe(true);
  });

  it.each<[string, (world: World) => unknown]>([
    ['the next prompt', (world) => world.run({ type: 'turn.start', who: a, may_continue: true })],
    ['the end of the session', (world) => world.run({ type: 'agent.leave', who: a, reason: 'x' })],
    ['the death of the client', (world) => world.dead.add(1)],
    [
      'another process on the session',
      (world) => world.run({ type: 'agent.present', who: { ...a, proc: proc(9) } }),
    ],
  ])('ends at once with %s', (_, happen) => {
    const world = stopped(60_000);
    happen(world);
    expect(gets(world)).toBe(true);
    expect(world.agent(a)?.turn_over?.gone_mono_ms ?? 0).toBeLessThanOrEqual(world.mono_ms + 60_000);
  });

  it('that keeps its leases by policy, or for a background command, is over all the same', () => {
    for (const release_on of ['session_end', 'never'] as const) {
      const world = new World();
      world.policy = { ...POLICY, release_on };
      world.run({ type: 'turn.start', who: a, may_continue: true });
      world.lock(a, 'x');
      end(world);
      expect(gets(world.pass(GRACE_MS * 2))).toBe(false);
      expect(world.run({ type: 'turn.start', who: a, may_continue: true }).is_new).toBe(true);
      expect(gets(world)).toBe(false);
    }
    const busy = new World();
    busy.lock(a, 'x');
    busy.run({ type: 'background', who: a, started: ['t'], finished: [] });
    end(busy, GRACE_MS, ['t']);
    expect(gets(busy.pass(GRACE_MS * 2))).toBe(false);
    end(busy, GRACE_MS, []);
    expect(gets(busy.pass(GRACE_MS))).toBe(true);
  });
});

describe('leases that went with their turn do not come back', () => {
  it('when somebody else has one of them by then', () => {
    const world = stopped().pass(GRACE_MS);
    expect(gets(world)).toBe(true);
    working(world);
    expect(gets(world, a)).toBe(false);
    expect(denialTypes(world.begin(a, 'x', 'op', file(H1)))).toContain('LOCKED_BY_OTHER');
    expect(denialTypes(world.begin(a, 'y', 'op', file(H1)))).toContain('NOT_LOCKED');
  });

  it('when nobody took them', () => {
    const world = stopped().pass(GRACE_MS);
    const before = world.agent(a)?.epoch ?? 0;
    working(world);
    expect(world.agent(a)).toMatchObject({ epoch: before + 1 });
    expect(world.look(statusOf).leases).toEqual([]);
  });

  it('by a write, which is denied', () => {
    const world = stopped().pass(GRACE_MS);
    expect(denialTypes(world.begin(a, 'x', 'op', missing))).toEqual(['NOT_LOCKED']);
    expect(world.look(statusOf).leases).toEqual([]);
  });

  it('by another end of the same turn', () => {
    const world = stopped().pass(GRACE_MS);
    end(world);
    expect(world.look(statusOf).leases).toEqual([]);
  });

  it('by a lock that is taken afterwards: it stands alone, with a larger token', () => {
    const world = stopped().pass(GRACE_MS);
    const old = world.path('x').holds[0]?.token ?? 0;
    expect(gets(world, a)).toBe(true);
    expect(world.look(statusOf).leases).toMatchObject([{ path: 'x', holder: a.id }]);
    expect(world.path('x').holds).toMatchObject([{ agent: a.id }]);
    expect(world.path('x').holds[0]?.token).toBeGreaterThan(old);
  });
});

describe('seen from elsewhere', () => {
  it('another machine goes by its wall clock', () => {
    const world = new World();
    const far = agent('far', { proc: { ...proc(5), machine: 'other', boot: 'boot-far' } });
    world.boot = 'boot-far';
    world.machine = 'other';
    world.lock(far, 'x');
    world.run({ type: 'turn.end', who: far, running: [], grace_ms: GRACE_MS });
    Object.assign(world, { boot: 'boot-1', machine: 'm', mono_ms: 5 });
    expect(gets(world.pass(GRACE_MS - 100))).toBe(false);
    expect(gets(world.pass(200))).toBe(true);
  });

  it('another boot of this machine has nothing to keep', () => {
    const world = stopped(60_000);
    world.boot = 'boot-2';
    expect(gets(world)).toBe(true);
  });

  it('a guard that does not know of it holds longer, never shorter', () => {
    const world = stopped();
    const state = world.agent(a);
    if (state === undefined) throw new Error('no agent');
    world.pass(GRACE_MS);
    expect(isTurnGone(state, world.facts)).toBe(true);
    expect(isTurnGone({ ...state, turn_over: undefined }, world.facts)).toBe(false);
  });
});

describe('a lease that outlasts the turn', () => {
  const lasting = (): World => {
    const world = new World();
    world.policy = { ...POLICY, release_on: 'session_end' };
    world.run({ type: 'turn.start', who: a });
    world.lock(a, 'x');
    end(world);
    return world;
  };

  it('is told to its holder when it ended by its ttl and went to somebody else', () => {
    const world = lasting().pass(POLICY.ttl_ms);
    expect(gets(world)).toBe(true);
    expect(world.run({ type: 'revoked.told', who: a })).toMatchObject([{ path: 'x', to: b.id }]);
  });

  it('does not, of a subagent: its turn is its whole run', () => {
    const world = lasting();
    const child = subagent(a, 's1');
    world.run({ type: 'turn.start', who: child });
    world.lock(child, 'y');
    world.run({ type: 'turn.end', who: child, running: [], grace_ms: GRACE_MS });
    expect(gets(world.pass(GRACE_MS - 10), b, 'y')).toBe(false);
    expect(gets(world.pass(10), b, 'y')).toBe(true);
  });
});

describe('beside a guard that does not know the mark', () => {
  it('what that one grants in the next turn is no lease of the turn that is over', () => {
    const world = stopped().pass(2 * GRACE_MS);
    const before = world.agent(a);
    if (before === undefined) throw new Error('no agent');
    const state = {
      ...before,
      turn: before.turn + 1,
      epoch: before.epoch + 1,
      active_mono_ms: world.mono_ms,
    };
    world.states.set(agentKey(a.id), state as unknown as Json);
    const { facts } = world;
    const changes = world.look((view) => changesOver(view));
    const hold = newHold({ changes, agent: state, facts, next: world.lsn }, 'x', 'exclusive', POLICY.ttl_ms);
    world.states.set(pathKey('x'), { ...world.path('x'), holds: [hold] } as unknown as Json);
    expect(gets(world.pass(1000))).toBe(false);
    expect(world.look((view, now) => goesAt(changesOver(view), 'x', hold, now))).toBeGreaterThan(
      world.mono_ms,
    );
  });
});
