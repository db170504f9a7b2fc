/** Turns, background commands, leaving and coming back. */
import { describe, expect, it } from 'vitest';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, denialTypes, file, H1, POLICY, proc, subagent, World } from '../world.ts';

const a = agent('a', { proc: proc(1) });
const b = agent('b');
const end = (world: World, running: readonly string[] | null = []) =>
  world.run({ type: 'turn.end', who: a, running });
const free = (world: World, path = 'x') => world.lock(b, path)[0]?.acquired;

describe('release_on', () => {
  it.each([
    ['stop', true, true],
    ['session_end', false, false],
    ['never', false, false],
  ] as const)('%s: the end of a turn frees: %s, the next prompt: %s', (release_on, at_end, at_prompt) => {
    const ended = new World();
    ended.policy = { ...POLICY, release_on };
    ended.lock(a, 'x');
    end(ended);
    expect(free(ended)).toBe(at_end);
    const prompted = new World();
    prompted.policy = { ...POLICY, release_on };
    prompted.lock(a, 'x');
    prompted.run({ type: 'turn.start', who: a });
    expect(free(prompted)).toBe(at_prompt);
  });

  it.each(['stop', 'session_end', 'never'] as const)('%s: leaving frees everything', (release_on) => {
    const world = new World();
    world.policy = { ...POLICY, release_on };
    world.lock(a, 'x');
    world.run({ type: 'agent.leave', who: a, reason: 'session_end:other' });
    expect(free(world)).toBe(true);
    expect(world.agent(a)).toMatchObject({ live: false, op: null, background: [] });
  });
});

describe('a turn', () => {
  it('counts, forgets its denials, and says in the ledger what its end released', () => {
    const world = new World();
    denialTypes(world.begin(a, 'x', 'op', file(H1)));
    expect(world.agent(a)).toMatchObject({ turn: 1, denials: 1 });
    world.run({ type: 'turn.start', who: a });
    expect(world.agent(a)).toMatchObject({ turn: 2, denials: 0 });
    world.lock(a, 'x');
    end(world);
    expect(world.records.at(-1)).toMatchObject({ type: 'turn', phase: 'end', released: true });
  });

  it('of a subagent ends without touching its parent, and of a parent without touching its subagents', () => {
    const world = new World();
    const child = subagent(a, 's');
    world.lock(a, 'x');
    world.lock(child, 'y');
    world.run({ type: 'agent.leave', who: child, reason: 'subagent_stop' });
    expect([free(world, 'x'), free(world, 'y')]).toEqual([false, true]);
    const other = new World();
    other.lock(a, 'x');
    other.lock(child, 'y');
    end(other);
    expect([free(other, 'x'), free(other, 'y')]).toEqual([true, false]);
  });

  it('that ends twice ends once', () => {
    const world = new World();
    world.lock(a, 'x');
    end(world);
    world.lock(a, 'x');
    expect(free(world)).toBe(false);
    end(world);
    end(world);
    expect(free(world)).toBe(true);
  });
});

describe('background commands', () => {
  const start = (world: World, ...started: readonly string[]) =>
    world.run({ type: 'background', who: a, started, finished: [] });

  it('are counted once, and forgotten when they are finished', () => {
    const world = new World();
    start(world, 'b1', 'b2', 'b1');
    expect(world.agent(a)?.background).toEqual(['b1', 'b2']);
    world.run({ type: 'background', who: a, started: [], finished: ['b1', 'unknown'] });
    expect(world.agent(a)?.background).toEqual(['b2']);
  });

  it('that the client no longer lists are over', () => {
    const world = new World();
    world.lock(a, 'x');
    start(world, 'b1', 'b2');
    end(world, ['b2', 'foreign']);
    expect(world.agent(a)?.background).toEqual(['b2']);
    expect(free(world)).toBe(false);
    end(world, []);
    expect(free(world)).toBe(true);
  });

  it('wait on for what they wait for when the turn is over, and no longer than they run', () => {
    const world = new World();
    world.lock(b, 'y');
    world.run({
      ...{ type: 'lock.acquire', who: a, paths: ['y'], mode: 'exclusive', ttl_ms: null, all: false },
      ...{ wait_until_mono_ms: 60_000, waiter: proc(7) },
    });
    start(world, 'b1');
    end(world, ['b1']);
    expect(world.wait(a).edges).toMatchObject([{ path: 'y', kind: 'wait' }]);
    end(world, []);
    expect(world.wait(a).edges).toEqual([]);
  });

  it('do not keep an open write or a wish over the end of the turn', () => {
    const world = new World();
    world.lock(a, 'x');
    world.begin(a, 'x', 'op', file(H1));
    world.lock(b, 'y');
    world.lock(a, 'y');
    start(world, 'b1');
    end(world, ['b1']);
    expect(world.agent(a)?.op).toBeNull();
    expect(world.wait(a).edges).toEqual([]);
  });
});

describe('coming back', () => {
  it.each<[string, (world: World) => unknown, Who]>([
    ['after leaving', (world: World) => world.run({ type: 'agent.leave', who: a, reason: 'x' }), a],
    ['as another process', () => undefined, { ...a, proc: proc(2) }],
    ['after a reboot', (world: World) => (world.boot = 'boot-2'), a],
  ])('%s: the same agent, none of its leases, joined as before', (_, happen, who) => {
    const world = new World();
    world.lock(a, 'x');
    const before = world.agent(a);
    happen(world);
    world.run({ type: 'agent.present', who });
    expect(world.agent(a)).toMatchObject({
      live: true,
      joined_lsn: before?.joined_lsn,
      joined_wall_ms: before?.joined_wall_ms,
      turn: before?.turn,
      op: null,
    });
    expect(world.records.at(-1)).toMatchObject({ type: 'agent.join', how: 'returned' });
    expect(free(world)).toBe(true);
  });

  it('a sign of life within a tenth of the shortest time that counts writes nothing', () => {
    const world = new World();
    world.run({ type: 'agent.present', who: a });
    const before = world.records.length;
    world.pass(POLICY.idle_ms / 10 - 5_000).run({ type: 'agent.present', who: a });
    expect(world.records.length).toBe(before);
    world.pass(10_000).run({ type: 'agent.present', who: a });
    expect(world.records.at(-1)).toMatchObject({ type: 'renew' });
  });
});
