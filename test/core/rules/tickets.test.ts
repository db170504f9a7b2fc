/** A ticket lives as long as a process that waits with it may be alive. */
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/core/report.ts';
import { prospectOf } from '../../../src/core/rules/prospect.ts';
import type { ProcessMark } from '../../../src/core/types.ts';
import { agent, proc, World } from '../world.ts';

const [a, b, c] = [agent('a'), agent('b'), agent('c')];
const [first, second] = [proc(11), proc(12)];
const MINUTE_MS = 60_000;

function waitAs(world: World, who: typeof a, waiter: ProcessMark | null, wait_ms = 10 * MINUTE_MS) {
  return world.run({
    type: 'lock.acquire',
    who,
    paths: ['x'],
    mode: 'exclusive',
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: world.mono_ms + wait_ms,
    waiter,
  });
}

const unwait = (world: World, who: typeof a, waiter: ProcessMark | null) =>
  world.run({ type: 'lock.unwait', who, paths: ['x'], cause: 'timeout', waiter });

const waiting = (world: World) => world.look((view, facts) => statusOf(view, facts).waits);

function held(): World {
  const world = new World();
  world.lock(a, 'x');
  return world;
}

describe('the process of a waiter', () => {
  it('is in its ticket; when it is certainly dead, the next one is served at once', () => {
    const world = held();
    waitAs(world, b, first);
    waitAs(world, c, second);
    world.dead.add(first.pid);
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(waitAs(world, c, second)[0]).toMatchObject({ acquired: true });
  });

  it('that is dead waits for nobody: no edge, no circle', () => {
    const world = held();
    world.lock(b, 'y');
    waitAs(world, b, first);
    expect(waiting(world)).toMatchObject([{ from: b.id, to: a.id, path: 'x' }]);
    world.dead.add(first.pid);
    expect(waiting(world)).toEqual([]);
    world.run({
      ...{ type: 'lock.acquire', who: a, paths: ['y'], mode: 'exclusive', ttl_ms: null, all: false },
      ...{ wait_until_mono_ms: world.mono_ms + MINUTE_MS, waiter: second },
    });
    expect(world.types()).not.toContain('deadlock');
  });

  it('that nobody knows of ends the ticket in half a minute, one that is known in a minute', () => {
    const world = held();
    waitAs(world, b, null);
    waitAs(world, c, second);
    const [of_b, of_c] = [b, c].map(({ id }) => world.path('x').queue.find(({ agent: one }) => one === id));
    expect(of_b?.until_mono_ms).toBeLessThanOrEqual(world.mono_ms + 30_000);
    expect(of_c?.until_mono_ms).toBeGreaterThan(world.mono_ms + 55_000);
  });
});

describe('one agent that waits for one path in two processes', () => {
  it.each([
    ['first', first],
    ['second', second],
  ])('keeps its place when the %s is killed', (_, killed) => {
    const world = held();
    waitAs(world, b, first);
    waitAs(world, c, null);
    waitAs(world, b, second);
    world.dead.add(killed.pid);
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: false, holder: b.id });
    world.dead.add(first.pid).add(second.pid);
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: true });
  });

  it('keeps its place and its edge when one of the two waits ends', () => {
    const world = held();
    waitAs(world, b, first);
    waitAs(world, c, null);
    waitAs(world, b, second, 1_000);
    unwait(world, b, second);
    expect(waiting(world)).toContainEqual(expect.objectContaining({ from: b.id, to: a.id, kind: 'wait' }));
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: false, holder: b.id });
    unwait(world, b, first);
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: true });
  });

  it('one of them unknown: the ticket lives by its looks alone', () => {
    const world = held();
    waitAs(world, b, first);
    waitAs(world, b, null);
    world.dead.add(first.pid);
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: false, holder: b.id });
    world.pass(MINUTE_MS + 1);
    expect(waitAs(world, c, null)[0]).toMatchObject({ acquired: true });
  });
});

describe('the last renewal of a wait', () => {
  it.each([61, 70, 75, 105, 110, 120, 300, 600])(
    'of %i s reaches to its end: neither its place nor its edge is gone before, and no look is in vain',
    (seconds) => {
      const world = held();
      world.policy = { ...world.policy, idle_ms: 20 * MINUTE_MS, ttl_ms: 20 * MINUTE_MS };
      world.lock(a, 'x');
      const until_mono_ms = world.mono_ms + seconds * 1_000;
      const wait = { agent: b.id, paths: ['x'], mode: 'exclusive' as const, since_mono_ms: 0, until_mono_ms };
      let looked_mono_ms = world.mono_ms;
      waitAs(world, b, first, until_mono_ms - world.mono_ms);
      const place = world.path('x').queue[0]?.ticket;
      let looks = 0;
      while (world.mono_ms < until_mono_ms - 1_000) {
        world.pass(500);
        const prospect = world.look((view, facts) => prospectOf(view, { ...wait, looked_mono_ms }, facts));
        if (prospect.due) {
          looks++;
          looked_mono_ms = world.mono_ms;
          waitAs(world, b, first, until_mono_ms - world.mono_ms);
        }
        const [ticket] = world.path('x').queue;
        expect(ticket).toMatchObject({ agent: b.id, ticket: place });
        expect(ticket?.until_mono_ms).toBeGreaterThan(world.mono_ms);
        expect(waiting(world)).toMatchObject([{ from: b.id, to: a.id, path: 'x', kind: 'wait' }]);
      }
      expect(looks).toBeLessThanOrEqual(Math.ceil(seconds / 45));
    },
  );
});
