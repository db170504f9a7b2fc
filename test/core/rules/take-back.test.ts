/** A person takes locks back from an agent. */
import { describe, expect, it } from 'vitest';
import { revokedLines } from '../../../src/core/revoked-words.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, missing, World } from '../world.ts';

const a = agent('a');
const b = agent('b');
const person: Who = { id: 'me@host:pts-1', kind: 'person', parent: null, session: null, proc: null };
const take = (world: World, who: Who, ...paths: readonly string[]) =>
  world.run({ type: 'lock.take_back', who, of: a.id, paths });

describe('a person who takes locks back', () => {
  it('ends them, on record, and the holder is told once', () => {
    const world = new World();
    world.lock(a, 'x', 'y');
    expect(take(world, person, 'x')).toEqual({ taken: ['x'], writing: [] });
    expect(world.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: a.id, path: 'x', to: person.id, cause: 'person' },
    ]);
    const told = world.run({ type: 'revoked.told', who: a });
    expect(told).toMatchObject([{ path: 'x', to: person.id, cause: 'person' }]);
    expect(revokedLines(told)).toEqual(['Your lock on "x" was taken back by me@host:pts-1, a person.']);
    expect(world.run({ type: 'revoked.told', who: a })).toEqual([]);
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: true }]);
    expect(world.lock(b, 'y')).toMatchObject([{ acquired: false }]);
  });

  it('takes nothing from under a write in flight', () => {
    const world = new World();
    world.lock(a, 'x');
    world.begin(a, 'x', 'w1', missing);
    expect(take(world, person, 'x')).toEqual({ taken: [], writing: ['x'] });
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: false }]);
  });

  it('takes only what that agent has', () => {
    const world = new World();
    world.lock(b, 'x');
    expect(take(world, person, 'x', 'never-locked')).toEqual({ taken: [], writing: [] });
    expect(world.records.filter(({ type }) => type === 'revoke')).toEqual([]);
  });

  it('is a person: no agent takes anything from another one', () => {
    const world = new World();
    world.lock(a, 'x');
    expect(take(world, b, 'x')).toEqual({ taken: [], writing: [] });
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: false }]);
  });
});
