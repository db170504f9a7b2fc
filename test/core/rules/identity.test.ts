/** Which agent a process speaks for if several processes have run one session. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/ledger.ts';
import { identify } from '../../../src/core/rules/identity.ts';
import { agent, proc, World } from '../world.ts';

/** The name that a process of session `s` gets, given all that is known of the others. */
function nameOf(world: World, pid: number | null, start = '1'): unknown {
  const states = world.states;
  const view = { has: () => true, get: (key: string): Json | undefined => states.get(key) };
  return identify(view, 'claude-s', pid === null ? null : proc(pid, start), world.facts);
}

const join = (world: World, id: string, pid: number | null): void =>
  void world.run({ type: 'agent.present', who: agent('s', { id, proc: pid === null ? null : proc(pid) }) });

const own = { id: 'claude-s', inherited: false };
const twin = { id: 'claude-s~2', inherited: true };

describe('a process of a session', () => {
  it('is the session where it is the first', () => {
    expect(nameOf(new World(), 1)).toEqual(own);
  });

  it('keeps its name', () => {
    const world = new World();
    join(world, 'claude-s', 1);
    expect(nameOf(world, 1)).toEqual(own);
  });

  it('is ~2 while another one lives, ~3 while two do', () => {
    const world = new World();
    join(world, 'claude-s', 1);
    expect(nameOf(world, 2)).toEqual(twin);
    join(world, 'claude-s~2', 2);
    expect(nameOf(world, 3)).toEqual({ id: 'claude-s~3', inherited: true });
  });

  it('takes the place of one that died, left, or was of another boot', () => {
    for (const end of [
      (world: World) => world.dead.add(1),
      (world: World) => world.run({ type: 'agent.leave', who: agent('s', { proc: proc(1) }), reason: 'x' }),
      (world: World) => (world.boot = 'boot-2'),
    ]) {
      const world = new World();
      join(world, 'claude-s', 1);
      end(world);
      expect(nameOf(world, 2)).toEqual(own);
    }
  });

  it('is still ~2 after the first one died', () => {
    const world = new World();
    join(world, 'claude-s', 1);
    join(world, 'claude-s~2', 2);
    world.dead.add(1);
    expect(nameOf(world, 2)).toEqual(twin);
  });

  it('with the pid of another one that ended is not it', () => {
    const world = new World();
    join(world, 'claude-s', 1);
    expect(nameOf(world, 1, 'later')).toEqual(twin);
  });

  it('that nobody can tell from another (no pid) is the session', () => {
    const world = new World();
    join(world, 'claude-s', 1);
    expect(nameOf(world, null)).toEqual(own);
  });

  it('takes a name that was used without a pid', () => {
    const world = new World();
    join(world, 'claude-s', null);
    expect(nameOf(world, 5)).toEqual(own);
  });

  it('looks at no more names than it must', () => {
    const read: string[] = [];
    const view = { get: (key: string) => void read.push(key) };
    expect(identify(view, 'claude-s', proc(1), new World().facts)).toMatchObject({ id: 'claude-s' });
    expect(read).toEqual(['agent:claude-s']);
  });
});
