import { describe, expect, it } from 'vitest';
import { agent, denialTypes, file, H1, POLICY, proc, subagent, World } from '../world.ts';

const a = agent('a');
const b = agent('b');
const minutes = (n: number): number => n * 60_000;

describe('one winner', () => {
  it('the second agent is refused with the name of the holder', () => {
    const world = new World();
    expect(world.lock(a, 'x')[0]).toMatchObject({ acquired: true, holder: null });
    expect(world.lock(b, 'x')[0]).toMatchObject({ acquired: false, holder: a.id, token: null });
  });

  it('every grant has a larger token than any before it', () => {
    const world = new World();
    const first = world.lock(a, 'x')[0]?.token ?? 0;
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(world.lock(b, 'x')[0]?.token).toBeGreaterThan(first);
  });

  it('asking again keeps the token', () => {
    const world = new World();
    const token = world.lock(a, 'x')[0]?.token;
    expect(world.lock(a, 'x')[0]).toMatchObject({ acquired: true, token });
  });

  it('several paths give several answers in canonical order, and what is free is kept', () => {
    const world = new World();
    world.lock(b, 'b');
    const results = world.lock(a, 'c', 'b', 'a');
    expect(results.map(({ path, acquired }) => [path, acquired])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
  });

  it('all or none: one refusal takes nothing', () => {
    const world = new World();
    world.lock(b, 'b');
    world.run({
      type: 'lock.acquire',
      who: a,
      paths: ['a', 'b'],
      mode: 'exclusive',
      ttl_ms: null,
      all: true,
      wait_until_mono_ms: null,
    });
    expect(world.path('a').holds).toEqual([]);
    expect(world.lock(b, 'a')[0]?.acquired).toBe(true);
  });

  it('shared leases coexist and keep an exclusive one out', () => {
    const world = new World();
    const shared = (who = a) =>
      world.run({
        type: 'lock.acquire',
        who,
        paths: ['x'],
        mode: 'shared',
        ttl_ms: null,
        all: false,
        wait_until_mono_ms: null,
      });
    shared(a);
    expect(shared(b)[0]?.acquired).toBe(true);
    expect(world.lock(agent('c'), 'x')[0]).toMatchObject({ acquired: false, holders: [a.id, b.id] });
  });
});

describe('a lease that is asked for again', () => {
  const hold = (world: World, ttl_ms: number | null) =>
    world.run({
      type: 'lock.acquire',
      who: a,
      paths: ['x'],
      mode: 'exclusive',
      ttl_ms,
      all: false,
      wait_until_mono_ms: null,
    });

  it('for longer lasts longer, under the same token, and never gets shorter', () => {
    const world = new World();
    const [first] = hold(world, minutes(1));
    const [second] = hold(world, minutes(10));
    const [third] = hold(world, minutes(2));
    expect([second?.token, third?.token]).toEqual([first?.token, first?.token]);
    expect(world.path('x').holds.map(({ ttl_ms }) => ttl_ms)).toEqual([minutes(10)]);
    expect(Date.parse(third?.expires_at ?? '') - Date.parse(first?.expires_at ?? '')).toBeGreaterThan(
      minutes(8),
    );
  });
});

describe('the end of a lease', () => {
  it('comes ttl after the last activity of its holder', () => {
    const world = new World();
    world.policy = { ...POLICY, idle_ms: minutes(60) };
    world.lock(a, 'x');
    world.pass(minutes(14)).run({ type: 'agent.present', who: a });
    expect(world.pass(minutes(14)).lock(b, 'x')[0]?.acquired).toBe(false);
    expect(world.pass(minutes(2)).lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('does not come with a jump of the wall clock', () => {
    const world = new World();
    world.lock(a, 'x');
    world.wall_ms += minutes(600);
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
  });

  it('comes with a reboot', () => {
    const world = new World();
    world.lock(a, 'x');
    world.boot = 'boot-2';
    world.mono_ms = 5;
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('does not come with the boot of another machine that shares the directory, only with its time', () => {
    const world = new World();
    world.lock(agent('a', { proc: proc(7) }), 'x');
    world.machine = 'another';
    world.boot = 'boot-2';
    world.mono_ms = 5;
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
    expect(world.pass(minutes(16)).lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('comes at once with the certain death of its holder', () => {
    const world = new World();
    world.lock(agent('a', { proc: proc(7) }), 'x');
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
    world.dead.add(7);
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('comes with the end of the turn, of the session, or of the parent of a subagent', () => {
    for (const end of ['turn.end', 'agent.leave'] as const) {
      const world = new World();
      world.lock(a, 'x');
      if (end === 'turn.end') world.run({ type: end, who: a, running: [] });
      else world.run({ type: end, who: a, reason: 'session_end' });
      expect(world.lock(b, 'x')[0]?.acquired, end).toBe(true);
    }
    const world = new World();
    world.run({ type: 'agent.present', who: a });
    world.lock(subagent(a, 's'), 'x');
    world.run({ type: 'agent.leave', who: a, reason: 'session_end' });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('a running background command keeps the leases over the end of the turn', () => {
    const world = new World();
    world.lock(a, 'x');
    world.run({ type: 'background', who: a, started: ['bg1'], finished: [] });
    world.run({ type: 'turn.end', who: a, running: ['bg1'] });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
    world.run({ type: 'turn.end', who: a, running: null });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
    world.run({ type: 'background', who: a, started: [], finished: ['bg1'] });
    world.run({ type: 'turn.end', who: a, running: [] });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('an idle lease yields, an open write pins it', () => {
    const world = new World();
    const a = agent('a', { proc: proc(7) });
    world.lock(a, 'x', 'y');
    world.begin(a, 'y', 'op', file(H1));
    world.pass(minutes(4));
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
    expect(world.pass(minutes(60)).lock(b, 'y')[0]?.acquired).toBe(false);
    expect(world.types()).toContain('revoke');
  });

  it('comes a ttl after an open write of an agent whose process nobody knows: its death is never certain', () => {
    const world = new World();
    world.lock(a, 'y');
    world.begin(a, 'y', 'op', file(H1));
    expect(world.pass(minutes(14)).lock(b, 'y')[0]?.acquired).toBe(false);
    expect(denialTypes(world.begin(b, 'y', 'op2', file(H1)))).toContain('WRITE_IN_FLIGHT');
    expect(world.pass(minutes(2)).lock(b, 'y')[0]?.acquired).toBe(true);
    expect(world.begin(b, 'y', 'op3', file(H1)).verdict).toBe('approved');
  });

  it('is told as it is now, when the holder asks again later', () => {
    const world = new World();
    const [first] = world.lock(a, 'x');
    world.pass(minutes(2)).run({ type: 'agent.present', who: a });
    const [again] = world.lock(a, 'x');
    expect(Date.parse(again?.expires_at ?? '') - Date.parse(first?.expires_at ?? '')).toBeGreaterThanOrEqual(
      minutes(2),
    );
  });

  it('one agent cannot release the lease of another', () => {
    const world = new World();
    world.lock(a, 'x');
    expect(world.run({ type: 'lock.release', who: b, paths: ['x'] })[0]).toMatchObject({
      released: true,
      was_held: false,
    });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
  });

  it('releasing everything ends all leases and waits at once', () => {
    const world = new World();
    world.lock(b, 'z');
    world.lock(a, 'x', 'y', 'z');
    world.run({ type: 'lock.release_all', who: a, held: ['x', 'y'] });
    expect(world.wait(a).edges).toEqual([]);
    expect(world.lock(b, 'x', 'y').every(({ acquired }) => acquired)).toBe(true);
  });
});

describe('delegation', () => {
  it('a subagent takes over from its own main agent, with a new token, but not in mid-write', () => {
    const world = new World();
    const token = world.lock(a, 'x', 'y')[0]?.token ?? 0;
    const child = subagent(a, 's');
    expect(world.lock(child, 'x')[0]?.token).toBeGreaterThan(token);
    world.begin(a, 'y', 'op', file(H1));
    expect(world.lock(child, 'y')[0]?.acquired).toBe(false);
    expect(world.lock(subagent(b, 's'), 'x')[0]?.acquired).toBe(false);
  });
});
