/** Which agents are present and under which names: joining, leaving voluntarily, coming back. */
import { describe, expect, it } from 'vitest';
import { hasLeft, asProfile, profileKey } from '../../../src/core/profiles.ts';
import type { DescribeEvent } from '../../../src/core/rules/profile.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, denialTypes, file, H1, H2, proc, seen, subagent, World } from '../world.ts';
import { reserve } from '../reservations/stage.ts';

const a = agent('a', { proc: proc(1) });
const b = agent('b', { proc: proc(2) });

const describeSelf = (world: World, who: Who, said: Omit<DescribeEvent, 'type' | 'who'> = {}): boolean =>
  world.run({ type: 'agent.describe', who, ...said });
const depart = (world: World, who: Who, paths: string[] = [], reservations: string[] = []): boolean =>
  world.run({ type: 'agent.depart', who, paths, reservations });
const isGone = (world: World, who: Who): boolean => {
  const state = world.agent(who);
  return state !== undefined && hasLeft(asProfile(world.states.get(profileKey(who.id))), state);
};
const here = (...all: Who[]): World => {
  const world = new World();
  for (const who of all) describeSelf(world, who);
  return world;
};

describe('an agent that leaves', () => {
  it('gives back locks and reservations and waits no longer', () => {
    const world = here(a, b);
    world.lock(a, 'x');
    reserve(world, a, 'src/**');
    world.lock(b, 'y');
    world.lock(a, 'y');
    expect(world.wait(a).edges.length).toBe(1);
    expect(depart(world, a, ['x'], ['r-1'])).toBe(true);
    expect(world.wait(a).edges).toEqual([]);
    expect(world.lock(b, 'x', 'src/a.ts').map(({ acquired }) => acquired)).toEqual([true, true]);
    expect(world.records.find(({ type }) => type === 'agent.leave')).toMatchObject({
      agent: a.id,
      reason: 'left',
      paths: ['x'],
      reservations: ['r-1'],
    });
  });

  it('leaves once: again, or before it ever came, writes nothing', () => {
    const world = here(a);
    depart(world, a);
    const before = world.records.length;
    expect([depart(world, a), depart(world, b)]).toEqual([false, false]);
    expect(world.records.length).toBe(before);
  });

  it('is here again after its next prompt, after any sign of life on record, and when it says so', () => {
    for (const back of [
      (world: World) => world.run({ type: 'turn.start', who: a }),
      (world: World) => world.pass(60_000).run({ type: 'agent.present', who: a }),
      (world: World) => describeSelf(world, a),
      (world: World) => world.run({ type: 'agent.present', who: { ...a, proc: proc(9) } }),
    ]) {
      const world = here(a);
      depart(world, a);
      expect(isGone(world, a)).toBe(true);
      back(world);
      expect(isGone(world, a)).toBe(false);
    }
  });

  it('stays gone for the hooks that end its very call and turn', () => {
    const world = here(a);
    depart(world, a);
    world.run({ type: 'agent.present', who: a });
    world.run({ type: 'turn.end', who: a, running: [] });
    expect(isGone(world, a)).toBe(true);
  });

  it('in the middle of a write still keeps others from writing that file', () => {
    const world = here(a, b);
    world.lock(a, 'x');
    expect(world.begin(a, 'x', 'op-1', file(H1), seen(H1)).verdict).not.toBe('denied');
    depart(world, a, ['x']);
    world.lock(b, 'x');
    expect(denialTypes(world.begin(b, 'x', 'op-2', file(H1), seen(H1)))).toEqual(['WRITE_IN_FLIGHT']);
    world.end(a, 'x', 'op-1', H2);
    expect(world.begin(b, 'x', 'op-3', file(H2), seen(H2)).verdict).not.toBe('denied');
  });

  it('takes nothing from its subagents, who work on', () => {
    const world = here(a, b);
    const child = subagent(a, 's');
    world.lock(child, 'x');
    depart(world, a);
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: false, holder: child.id }]);
  });

  it('is not among everybody', () => {
    const world = here(a, b);
    depart(world, b);
    const message = {
      ...{ body: 'hello', subject: '', topic: null, thread_id: null },
      ...{ importance: 'normal' as const, ack_required: false },
    };
    expect(world.run({ type: 'message.send', who: a, to: 'everybody', message }).delivered).toEqual([]);
  });
});

describe('a name', () => {
  it('belongs to one agent, and is free when that one is gone', () => {
    const world = here(a, b);
    expect(describeSelf(world, a, { name: 'router' })).toBe(true);
    expect(describeSelf(world, b, { name: 'router' })).toBe(false);
    world.dead.add(1);
    expect(describeSelf(world, b, { name: 'router' })).toBe(true);
    expect(asProfile(world.states.get(profileKey(a.id))).name).toBe(null);
  });

  it('stays when only the status is said, and nothing is written when nothing is news', () => {
    const world = here(a);
    describeSelf(world, a, { name: 'router', capabilities: ['css'] });
    describeSelf(world, a, { status: 'busy' });
    expect(world.states.get(profileKey(a.id))).toMatchObject({
      name: 'router',
      capabilities: ['css'],
      status: 'busy',
    });
    const before = world.records.length;
    describeSelf(world, a, { status: 'busy' });
    expect(world.records.length).toBe(before);
    world.pass(25 * 3_600_000);
    describeSelf(world, a, { status: 'busy' });
    expect(world.types().at(-1)).toBe('agent.describe');
  });
});
