import { describe, expect, it } from 'vitest';
import { afterRead } from '../../../src/core/rules/knowledge.ts';
import { agent, denialTypes, file, H1, H2, World } from '../world.ts';

const a = agent('a');
const b = agent('b');

function writing(): World {
  const world = new World();
  world.lock(a, 'x');
  world.begin(a, 'x', 'op-a', file(H1));
  return world;
}

describe('a write in flight survives', () => {
  it('the release of everything by its own agent: another agent still may not write', () => {
    const world = writing();
    world.run({ type: 'lock.release_all', who: a, held: ['x'] });
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
  });
});

describe('a waiter that was killed', () => {
  const wait = (world: World, minutes: number) =>
    world.run({
      type: 'lock.acquire',
      who: b,
      paths: ['x'],
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: world.mono_ms + minutes * 60_000,
    });

  it('keeps its place for half a minute, not for as long as it meant to wait', () => {
    const world = new World();
    world.lock(a, 'x');
    wait(world, 60);
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(world.lock(agent('c'), 'x')[0]?.holder).toBe(b.id);
    expect(world.pass(31_000).lock(agent('c'), 'x')[0]?.acquired).toBe(true);
  });

  it('loses it at once when its agent ends the turn', () => {
    const world = new World();
    world.lock(a, 'x');
    wait(world, 60);
    world.run({ type: 'turn.end', who: b, running: null });
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(world.lock(agent('c'), 'x')[0]?.acquired).toBe(true);
  });

  it('a waiter that goes on polling keeps it', () => {
    const world = new World();
    world.lock(a, 'x');
    const until = world.mono_ms + 3_600_000;
    for (let n = 0; n < 100; n++) {
      world.pass(1_000).run({
        type: 'lock.acquire',
        who: b,
        paths: ['x'],
        mode: 'exclusive',
        ttl_ms: null,
        all: false,
        wait_until_mono_ms: until,
      });
    }
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(world.lock(agent('c'), 'x')[0]?.acquired).toBe(false);
  });
});

describe('a first look at a part of a file', () => {
  const part = { verdict: 'part', from_line: 1, lines: 1, total_lines: 10 } as const;

  it('is enough where the file is older than the agent', () => {
    expect(afterRead(null, 1, part, { digest: H2, is_old: true })).toEqual({
      turn: 1,
      knows: 'content',
      digest: H2,
    });
  });

  it('is not where somebody may have changed it since, as after a fork', () => {
    expect(afterRead(null, 1, part, { digest: H2, is_old: false })).not.toMatchObject({ knows: 'content' });
  });
});
