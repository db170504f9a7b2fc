/** Reservations at the hook and in the queue behave exactly like leases. */
import { describe, expect, it } from 'vitest';
import { agentKey, GLOBS, pathKey, waitKey } from '../../../src/core/keys.ts';
import { SCOPE } from '../../../src/core/lease-scope.ts';
import { CHECKOUTS } from '../../../src/core/worktrees.ts';
import { statusOf } from '../../../src/core/report.ts';
import { viewOf } from '../../../src/core/fold.ts';
import { decide } from '../../../src/core/decide.ts';
import { denialTypes, file, H1, seen, World } from '../world.ts';
import { a, b, c, idOf, reserve, tries } from './stage.ts';

const write = (world: World, who: typeof a, path: string, op = 'op') =>
  world.begin(who, path, op, file(H1), seen(H1));

describe('a write', () => {
  it('under an own exclusive reservation needs no other lock', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    expect(write(world, a, 'src/x').verdict).toBe('approved');
    expect(denialTypes(write(world, a, 'docs/x', 'two'))).toEqual(['NOT_LOCKED']);
  });

  it('under an own shared one does', () => {
    const world = new World();
    reserve(world, a, 'src/**', { mode: 'shared' });
    expect(denialTypes(write(world, a, 'src/x'))).toEqual(['NOT_LOCKED']);
  });

  it("under another agent's is denied, with its pattern and its reason", () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**'));
    const verdict = write(world, b, 'src/x');
    expect(denialTypes(verdict)).toEqual(['LOCKED_BY_OTHER']);
    expect(verdict).toMatchObject({
      denial: { details: { holder: a.id, id, pattern: 'src/**', reason: 'refactoring' } },
    });
  });

  it('is denied in enforcement auto too, and takes no lease under an own one', () => {
    const world = new World();
    world.policy = { ...world.policy, enforcement: 'auto' };
    reserve(world, a, 'src/**');
    expect(denialTypes(write(world, b, 'src/x'))).toEqual(['LOCKED_BY_OTHER']);
    expect(write(world, a, 'src/y').verdict).toBe('approved');
    expect(world.path('src/y').holds).toEqual([]);
  });

  it('in flight keeps the file when the reservation runs out', () => {
    const world = new World();
    reserve(world, a, 'src/**', { ttl_ms: 1_000 });
    write(world, a, 'src/x');
    world.pass(2_000);
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
    expect(tries(world, b, 'src/y')).toEqual(['got']);
    world.end(a, 'src/x', 'op', H1);
    expect(tries(world, b, 'src/x')).toEqual(['got']);
  });
});

describe('waiting', () => {
  const wait = (world: World, who: typeof a, path: string) =>
    world.run({
      type: 'lock.acquire',
      who,
      paths: [path],
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: world.mono_ms + 20_000,
    });

  it('for a reserved file names the holder, and its holder is in nobody’s way', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    expect(wait(world, b, 'src/x')).toMatchObject([{ acquired: false, holder: a.id }]);
    expect(tries(world, a, 'src/x')).toEqual(['got']);
  });

  it('in a circle that goes through a reservation is a deadlock', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    world.lock(b, 'docs/x');
    wait(world, a, 'docs/x');
    expect(wait(world, b, 'src/x')).toMatchObject([{ error: 'DEADLOCK', deadlock: { victim: b.id } }]);
    expect(statusOf(viewOf(world.states), world.facts).cycles).toMatchObject([
      { kind: 'deadlock', state: 'told', victim: b.id },
    ]);
  });
});

describe('what a write looks at', () => {
  /** The keys read besides the agent's own, the path's, and the one that tells whether there are other checkouts. */
  const readBy = (world: World, who: typeof a, path: string): string[] => {
    const read = new Set<string>();
    const spy = { ...viewOf(world.states), get: (key: string) => (read.add(key), world.states.get(key)) };
    const how = { mode: 'exclusive', ttl_ms: null, all: false, wait_until_mono_ms: null } as const;
    decide<'lock.acquire'>(spy, { type: 'lock.acquire', who, paths: [path], ...how }, world.facts);
    const own = [agentKey(who.id), pathKey(path), waitKey(who.id), SCOPE, CHECKOUTS];
    return [...read].filter((key) => !own.includes(key));
  };

  it('is one key more while nobody reserves, and those who reserve below the same name of the root', () => {
    const world = new World();
    expect(readBy(world, b, 'src/x')).toEqual([GLOBS]);
    reserve(world, a, ['src/**', 'src/y']);
    reserve(world, c, ['docs/**']);
    expect(readBy(world, b, 'src/x')).toEqual([GLOBS, `globs:${a.id}`, agentKey(a.id)]);
    reserve(world, c, ['*.md']);
    expect(readBy(world, b, 'src/x')).toContain(`globs:${c.id}`);
  });
});

describe('the status', () => {
  it('shows reservations', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**'));
    expect(statusOf(viewOf(world.states), world.facts).reservations).toMatchObject([
      { id, agent_id: a.id, path_pattern: 'src/**', exclusive: true, reason: 'refactoring' },
    ]);
  });
});
