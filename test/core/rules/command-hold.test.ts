/** What a command line holds on its own, and that its hold ends in every case. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHoldLive } from '../../../src/core/alive.ts';
import { changesOver } from '../../../src/core/states.ts';
import {
  command,
  ended,
  exclusiveHolders as holders,
  joined,
  tracked,
  TWO_MINUTES_MS,
  untracked,
} from '../command-world.ts';
import { agent, denialTypes, file, H1, H2, missing, POLICY, proc, seen, subagent } from '../world.ts';
import type { World } from '../world.ts';

const a = agent('a', { proc: proc(11) });
const b = agent('b', { proc: proc(12) });

describe('what a command holds', () => {
  const begun = (): World => {
    const world = joined(a, b);
    command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1), seen(H1))] });
    return world;
  };

  it.each([
    ['the longest that its client lets it run', (world: World) => void world.pass(TWO_MINUTES_MS + 1)],
    ['the death of its agent', (world: World) => void world.dead.add(11)],
    ['the end of the turn', (world: World) => void world.run({ type: 'turn.end', who: a, running: [] })],
    ['the next prompt', (world: World) => void world.run({ type: 'turn.start', who: a })],
    [
      'the next write of the client, which runs alone',
      (world: World) => {
        world.policy = { ...POLICY, enforcement: 'off' };
        world.begin(a, 'z', 'op-z', missing);
        world.policy = POLICY;
      },
    ],
    [
      'a new process of the session',
      (world: World) => void world.run({ type: 'agent.present', who: { ...a, proc: proc(13) } }),
    ],
  ])('ends with %s', (_, end) => {
    const world = begun();
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual([
      'LOCKED_BY_OTHER',
      'WRITE_IN_FLIGHT',
    ]);
    end(world);
    expect(holders(world, 'x')).toEqual([]);
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: true }]);
    expect(denialTypes(world.begin(b, 'x', 'op-c', file(H1), seen(H1)))).toEqual([]);
  });

  it('does not end with another call of the same agent', () => {
    const world = begun();
    world.run({
      type: 'call.begin',
      who: a,
      call: { id: 'op-2', tool: 'Bash', since_mono_ms: 1, until_mono_ms: 2 },
    });
    world.run({ type: 'op.end', who: a, ops: ['op-2'] });
    command(world, a, 'op-3', { targets: [untracked('y')] });
    ended(world, a, 'op-3');
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('lasts while a person is asked for it', () => {
    const world = begun();
    const until_mono_ms = world.mono_ms + 600_000;
    const call = { id: 'asked', tool: 'Bash', since_mono_ms: world.mono_ms, until_mono_ms };
    world.run({ type: 'call.begin', who: a, call, keeps_op: true });
    world.pass(TWO_MINUTES_MS + 1);
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('lasts in the background for as long as its task does, over the end of a turn', () => {
    const world = begun();
    world.run({ type: 'background', who: a, started: ['t1'], finished: [], op: 'op-1' });
    world.pass(TWO_MINUTES_MS + 1);
    world.run({ type: 'turn.end', who: a, running: ['t1'] });
    expect(holders(world, 'x')).toEqual([a.id]);
    world.run({ type: 'background', who: a, started: [], finished: ['t1'] });
    expect(holders(world, 'x')).toEqual([]);
  });

  it('becomes an ordinary lease when its agent locks the file', () => {
    const world = begun();
    expect(world.lock(a, 'x')).toMatchObject([{ acquired: true }]);
    ended(world, a, 'op-1');
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('is no loss that anybody is told of', () => {
    const world = begun();
    world.pass(TWO_MINUTES_MS + 1);
    world.lock(b, 'x');
    expect(world.agent(a)?.revoked).toBeUndefined();
  });
});

describe('the same event twice', () => {
  it('approves again and writes nothing; ends once', () => {
    const world = joined(a);
    const run = () => command(world, a, 'op-1', { targets: [untracked('x')] });
    run();
    const before = world.records.length;
    expect(run()).toMatchObject({ verdict: 'approved' });
    expect(world.records.length).toBe(before);
    expect(ended(world, a, 'op-1', { x: H1 })).toHaveLength(1);
    expect(ended(world, a, 'op-1', { x: H1 })).toEqual([]);
    expect(world.types().filter((type) => type === 'write')).toHaveLength(1);
  });

  it('a digest that went out of date is taken again', () => {
    const world = joined(a, b);
    const target = tracked(world, 'x', file(H1), null);
    command(world, b, 'op-b', { targets: [untracked('x', H1)] });
    ended(world, b, 'op-b', { x: H2 });
    expect(command(world, a, 'op-1', { targets: [target] })).toEqual({ verdict: 'retry' });
  });
});

describe('whatever agents do', () => {
  const who = [a, b, subagent(a, 's1')];
  const step = fc.record({
    by: fc.nat({ max: 2 }),
    what: fc.constantFrom('run', 'end', 'lock', 'release', 'write', 'turn', 'background', 'wait'),
    path: fc.constantFrom('x', 'y'),
    op: fc.constantFrom('op-1', 'op-2'),
  });

  it('a file never has two holders, and no lease of a command outlives it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = joined(...who);
        for (const { by, what, path, op } of steps) {
          const me = who[by] ?? a;
          const id = `${me.id}-${op}`;
          if (what === 'run') command(world, me, id, { targets: [tracked(world, path, file(H1), seen(H1))] });
          if (what === 'end') ended(world, me, id, { [path]: H1 });
          if (what === 'lock') world.lock(me, path);
          if (what === 'release') world.run({ type: 'lock.release', who: me, paths: [path] });
          if (what === 'write') world.begin(me, path, `${id}-w`, file(H1), seen(H1));
          if (what === 'turn') world.run({ type: 'turn.end', who: me, running: null });
          if (what === 'background')
            world.run({ type: 'background', who: me, started: ['t'], finished: [], op: id });
          if (what === 'wait') world.pass(50_000);
          for (const one of ['x', 'y']) expect(holders(world, one).length).toBeLessThanOrEqual(1);
        }
        for (const me of who) {
          world.run({ type: 'background', who: me, started: [], finished: ['t'] });
          for (const op of ['op-1', 'op-2']) ended(world, me, `${me.id}-${op}`);
        }
        for (const one of ['x', 'y'])
          world.look((view, facts) => {
            const changes = changesOver(view);
            const live = changes
              .path(one)
              .holds.filter((hold) => hold.command !== undefined && isHoldLive(changes, one, hold, facts));
            expect(live).toEqual([]);
          });
      }),
      { numRuns: 300 },
    );
  });
});
