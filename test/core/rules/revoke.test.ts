/** An agent whose lease went to another agent against its will is notified once. */
import { describe, expect, it } from 'vitest';
import { revokedLines } from '../../../src/core/revoked-words.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, file, H1, missing, POLICY, subagent, World } from '../world.ts';

const a = agent('a');
const b = agent('b');
const minutes = (n: number): number => n * 60_000;
const told = (world: World, who: Who) => world.run({ type: 'revoked.told', who });

describe('a lease that yielded to somebody else', () => {
  it('after a silence is told to its former holder, once', () => {
    const world = new World();
    world.lock(a, 'x');
    world.pass(minutes(4)).lock(b, 'x');
    expect(told(world, a)).toMatchObject([{ path: 'x', to: b.id, cause: 'idle' }]);
    expect(told(world, a)).toEqual([]);
    expect(world.agent(a)?.revoked).toBeUndefined();
  });

  it('that had ended by its ttl before is told as well, and on record', () => {
    const world = new World();
    world.lock(a, 'x');
    world.pass(minutes(60)).lock(b, 'x');
    expect(told(world, a)).toMatchObject([{ path: 'x', to: b.id }]);
    expect(world.records.filter(({ type }) => type === 'revoke')).toMatchObject([{ cause: 'expired' }]);
  });

  it('to a subagent of its holder is told', () => {
    const world = new World();
    const child = subagent(a, 's1');
    world.lock(a, 'x');
    world.lock(child, 'x');
    expect(told(world, a)).toMatchObject([{ path: 'x', to: child.id, cause: 'subagent' }]);
  });

  it('by a write that takes its lock by itself is told', () => {
    const world = new World();
    world.policy = { ...POLICY, enforcement: 'auto' };
    world.lock(a, 'x');
    world.pass(minutes(4)).begin(b, 'x', 'w1', missing);
    expect(told(world, a)).toMatchObject([{ path: 'x', to: b.id, cause: 'idle' }]);
  });

  it('and that its own next write takes back is no news any more', () => {
    const world = new World();
    world.policy = { ...POLICY, enforcement: 'auto' };
    world.lock(a, 'x', 'y');
    world.pass(minutes(4)).lock(b, 'x', 'y');
    world.run({ type: 'lock.release', who: b, paths: ['x', 'y'] });
    expect(world.begin(a, 'x', 'w1', missing).verdict).toBe('approved');
    expect(told(world, a)).toMatchObject([{ path: 'y', to: b.id }]);
  });

  it('is told with the refusal of the next write, and not again', () => {
    const world = new World();
    world.lock(a, 'x');
    world.pass(minutes(4)).lock(b, 'x');
    const verdict = world.begin(a, 'x', 'w1', file(H1));
    expect(verdict).toMatchObject({
      denial: { details: { revoked: ['Your lock on "x" went to claude-b after 4 min of silence.'] } },
    });
    expect(told(world, a)).toEqual([]);
  });

  it('is no news to whoever has it again', () => {
    const world = new World();
    for (const path of ['x', 'y']) world.lock(a, path);
    world.pass(minutes(4)).lock(b, 'x', 'y');
    world.run({ type: 'lock.release', who: b, paths: ['x', 'y'] });
    world.lock(a, 'x');
    expect(told(world, a)).toMatchObject([{ path: 'y' }]);
  });

  it('fills no ledger: the newest 32 are kept', () => {
    const world = new World();
    const paths = Array.from({ length: 40 }, (_, n) => `f${String(n).padStart(2, '0')}`);
    world.lock(a, ...paths);
    world.pass(minutes(4)).lock(b, ...paths);
    expect(told(world, a).map(({ path }) => path)).toEqual(paths.slice(8));
  });
});

describe('what an agent gave up itself is not told to it', () => {
  const ways: Record<string, (world: World) => unknown> = {
    released: (world) => world.run({ type: 'lock.release', who: a, paths: ['x'] }),
    'released with everything': (world) => world.run({ type: 'lock.release_all', who: a, held: [] }),
    'left over at a prompt': (world) => world.run({ type: 'turn.start', who: a }),
  };
  it.each(Object.keys(ways))('%s', (name) => {
    const world = new World();
    world.lock(a, 'x');
    ways[name]?.(world);
    world.pass(minutes(4)).lock(b, 'x');
    expect(told(world, a)).toEqual([]);
  });
});

describe('the words', () => {
  const lost = (path: string, cause: 'idle' | 'subagent' | 'deadlock', to = 'claude-b') => ({
    path,
    to,
    cause,
    wall_ms: 0,
    silent_ms: 200_000,
  });

  it('say all that went to one agent for one reason in one sentence', () => {
    expect(revokedLines([lost('x', 'idle'), lost('y', 'idle'), lost('z', 'deadlock')])).toEqual([
      'Your locks on "x", "y" went to claude-b after 3 min of silence.',
      'Your lock on "z" went to claude-b, to end a deadlock.',
    ]);
  });

  it('stay short, and a file’s name is no instruction to a terminal', () => {
    const many = Array.from({ length: 12 }, (_, n) => lost(`f${n}\u001b[2J`, 'subagent'));
    const [line = ''] = revokedLines(many);
    expect(line).toContain(' and 2 more went to your subagent claude-b.');
    expect(line).not.toContain('\u001b');
  });
});
