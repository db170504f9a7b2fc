/** Edges of the wait-for graph, and which cycles are deadlocks. */
import { describe, expect, it } from 'vitest';
import { statusOf, type StatusReport } from '../../../src/core/report.ts';
import type { Key, View } from '../../../src/core/ledger.ts';
import { agent, proc, World } from '../world.ts';

const [a, b, c] = [
  agent('a', { proc: proc(1) }),
  agent('b', { proc: proc(2) }),
  agent('c', { proc: proc(3) }),
];

function status(world: World): StatusReport {
  const view: View = {
    next: 0,
    get: (key: Key) => world.states.get(key),
    range: (prefix) => [...world.states].filter(([key]) => key.startsWith(prefix)).sort(),
  };
  return statusOf(view, world.facts);
}

const wait = (world: World, who: typeof a, path: string, mode: 'exclusive' | 'shared' = 'exclusive') =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode,
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: world.mono_ms + 60_000,
  });

const kinds = (world: World) =>
  status(world).cycles.map(({ kind, edges }) => [kind, edges.map(({ from }) => from)]);

function crossed(): World {
  const world = new World();
  world.lock(a, 'x');
  world.lock(b, 'y');
  return world;
}

describe('a cycle', () => {
  it('of waits is a deadlock', () => {
    const world = crossed();
    wait(world, b, 'x');
    wait(world, a, 'y');
    expect(kinds(world)).toEqual([['deadlock', [a.id, b.id]]]);
  });

  it('that needs a refused try is only possible', () => {
    const world = crossed();
    wait(world, a, 'y');
    world.lock(b, 'x');
    expect(kinds(world)).toEqual([['possible', [a.id, b.id]]]);
  });

  it('through a ticket: who waits behind somebody waits for somebody', () => {
    const world = crossed();
    wait(world, c, 'x');
    wait(world, b, 'x');
    wait(world, a, 'y');
    expect(kinds(world)).toEqual([['deadlock', [a.id, b.id]]]);
    expect(status(world).waits).toContainEqual({
      from: b.id,
      to: c.id,
      path: 'x',
      kind: 'wait',
      because: 'ticket',
    });
  });

  it('ends with a release, a timeout, the end of a wait by itself, or a death', () => {
    for (const ends of [
      (world: World) => world.run({ type: 'lock.release', who: b, paths: ['y'] }),
      (world: World) => world.run({ type: 'lock.unwait', who: a, paths: ['y'], cause: 'cancelled' }),
      (world: World) => world.pass(61_000),
      (world: World) => world.dead.add(2),
      (world: World) => world.run({ type: 'turn.end', who: a, running: [] }),
    ]) {
      const world = crossed();
      wait(world, b, 'x');
      wait(world, a, 'y');
      ends(world);
      expect(kinds(world)).toEqual([]);
    }
  });

  it('is none among shared holders and shared waiters', () => {
    const world = new World();
    wait(world, a, 'x', 'shared');
    wait(world, b, 'y', 'shared');
    wait(world, a, 'y', 'shared');
    wait(world, b, 'x', 'shared');
    expect(status(world).waits).toEqual([]);
  });

  it('of one that is dead and of one that is only possible: each is reported, and nobody twice', () => {
    const world = crossed();
    const d = agent('d');
    wait(world, b, 'x');
    wait(world, a, 'y');
    world.lock(c, 'p');
    world.lock(d, 'q');
    world.lock(c, 'q');
    world.lock(d, 'p');
    world.lock(c, 'x');
    expect(kinds(world)).toEqual([
      ['deadlock', [a.id, b.id]],
      ['possible', [c.id, d.id]],
    ]);
  });
});
