import { describe, expect, it } from 'vitest';
import { agent, file, H1, H2, subagent, World } from '../world.ts';
import type { ReadFile } from '../../../src/core/rules/write-event.ts';
import type { Who } from '../../../src/core/rules/who.ts';

const a = agent('a');
const b = agent('b');
const kid = subagent(a, 'kid');

const reads = (...paths: readonly string[]): readonly ReadFile[] =>
  paths.map((path) => ({ path, abs: `/repo/${path}`, digest: H1 }));

/** The `next` steps when `path` is refused to an agent that read these files. */
function nextOf(world: World, who: Who, path: string, ...read: readonly string[]): unknown {
  const verdict = world.run({
    type: 'write.begin',
    who,
    op: `${path} ${world.lsn}`,
    tool: 'Edit',
    home: null,
    targets: [{ ...world.target(path, file(H1), null), abs: `/repo/${path}` }],
    reads: () => reads(...read),
  });
  if (verdict.verdict !== 'denied') throw new Error(verdict.verdict);
  return verdict.denial.details['next'];
}

const lockTry = (...paths: readonly string[]): string[] => [
  `guard lock try ${paths.map((path) => `/repo/${path}`).join(' ')}`,
];

describe('the step of a write without a lock', () => {
  it('names what was read in the order in which locks are taken', () => {
    expect(nextOf(new World(), a, 'm', 'z', 'm', 'b')).toEqual(lockTry('b', 'm', 'z'));
  });

  it('is about one file where its agent read more than a few, or where the names are long', () => {
    const many = Array.from({ length: 8 }, (_, nth) => `f${nth}`);
    expect(nextOf(new World(), a, 'm', ...many)).toEqual(lockTry('m'));
    expect(nextOf(new World(), a, 'm', ...many.slice(1))).toEqual(lockTry(...many.slice(1), 'm'));
    expect(nextOf(new World(), a, 'm', 'n'.repeat(1_200))).toEqual(lockTry('m'));
  });

  it('leaves out what others hold, be they idle, or reserve, and what it wrote and gave back', () => {
    const world = new World();
    world.lock(b, 'held');
    world.pass(world.policy.idle_ms + 1);
    world.run({
      type: 'reserve',
      who: b,
      scope: '',
      patterns: ['res/*'],
      mode: 'exclusive',
      ttl_ms: 60_000,
      reason: 'mine',
      all: false,
      dry: false,
    });
    world.lock(a, 'own');
    world.begin(a, 'own', 'op', file(H2));
    world.end(a, 'own', 'op', H1);
    world.run({ type: 'lock.release', who: a, paths: ['own'] });
    expect(nextOf(world, a, 'm', 'held', 'res/x', 'own', 'free')).toEqual(lockTry('free', 'm'));
  });

  it('costs an approved write nothing: what was read is not looked up', () => {
    const world = new World();
    world.lock(a, 'x');
    const verdict = world.run({
      type: 'write.begin',
      who: a,
      op: 'op',
      tool: 'Edit',
      home: null,
      targets: [world.target('x', file(H1), null)],
      reads: () => {
        throw new Error('looked up');
      },
    });
    expect(verdict).toEqual({ verdict: 'approved' });
  });

  it('names what its own session holds: delegating takes it over', () => {
    const world = new World();
    world.lock(a, 'x');
    expect(nextOf(world, kid, 'm', 'x')).toEqual(lockTry('m', 'x'));
  });

  it('is short for the other calls of the message, until something of the list is locked or time passes', () => {
    const world = new World();
    nextOf(world, a, 'x', 'x', 'y', 'z');
    expect(nextOf(world, a, 'y', 'x', 'y', 'z')).toEqual(lockTry('y'));
    expect(nextOf(world, a, 'other', 'x', 'y', 'z')).toEqual(lockTry('other'));
    world.pass(30_000);
    expect(nextOf(world, a, 'y', 'x', 'y', 'z')).toEqual(lockTry('x', 'y', 'z'));
    world.lock(a, 'x');
    expect(nextOf(world, a, 'z', 'x', 'y', 'z')).toEqual(lockTry('y', 'z'));
  });
});
