import { describe, expect, it } from 'vitest';
import { agent, World } from '../world.ts';

const a = agent('a');
const b = agent('b');
const minutes = (n: number): number => n * 60_000;

describe('waiting', () => {
  const wait = (world: World, who = b) =>
    world.run({
      type: 'lock.acquire',
      who,
      paths: ['x'],
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: world.mono_ms + minutes(1),
    });

  it('nobody overtakes an earlier waiter, a try included', () => {
    const world = new World();
    world.lock(a, 'x');
    wait(world);
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(world.lock(agent('c'), 'x')[0]).toMatchObject({ acquired: false, holder: b.id });
    expect(wait(world)[0]?.acquired).toBe(true);
    expect(world.wait(b).edges).toEqual([]);
  });

  it('a refused try is remembered as wanted, a wait that timed out too', () => {
    const world = new World();
    world.lock(a, 'x');
    world.lock(b, 'x');
    expect(world.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wanted' }]);
    wait(world);
    expect(world.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wait' }]);
    world.run({ type: 'lock.unwait', who: b, paths: ['x'], cause: 'timeout' });
    expect(world.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wanted' }]);
    expect(world.path('x').queue).toEqual([]);
  });

  it('what was wanted is forgotten with the last lease, and not before', () => {
    const world = new World();
    world.lock(a, 'x');
    world.lock(b, 'y', 'z');
    world.lock(b, 'x');
    world.run({ type: 'lock.release', who: b, paths: ['y'] });
    expect(world.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wanted' }]);
    world.run({ type: 'lock.release', who: b, paths: ['z'] });
    expect(world.wait(b).edges).toEqual([]);
  });

  it('trying in a loop does not fill the ledger', () => {
    const world = new World();
    world.lock(a, 'x');
    world.lock(b, 'x');
    const before = world.records.length;
    for (let n = 0; n < 20; n++) world.lock(b, 'x');
    expect(world.records.length).toBe(before);
  });
});
