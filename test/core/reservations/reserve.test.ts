/** What reserving, renewing and releasing answer. */
import { describe, expect, it } from 'vitest';
import { GLOBS } from '../../../src/core/keys.ts';
import { subagent, World } from '../world.ts';
import { a, b, c, got, idOf, reserve, tries } from './stage.ts';

const release = (world: World, who: typeof a, ids: readonly string[] | null) =>
  world.run({ type: 'unreserve', who, ids });

describe('reserving', () => {
  it('names each grant after its number, one for each pattern', () => {
    const world = new World();
    const results = reserve(world, a, ['src/**', 'test/*.ts']);
    expect(results.map(({ reservation }) => reservation?.id)).toEqual(['r-100', 'r-101']);
    expect(world.types()).toEqual(['agent.join', 'hold']);
  });

  it('lasts a day at most, whatever was asked for', () => {
    const world = new World();
    const day_ms = 86_400_000;
    const now_ms = world.wall_ms;
    const [asked] = reserve(world, a, 'src/**', { ttl_ms: 7 * day_ms });
    expect((asked?.reservation?.until_wall_ms ?? 0) - now_ms).toBe(day_ms);
    // Keeps the holder alive, as its hooks would.
    for (let hour = 0; hour < 23; hour += 1) {
      world.pass(day_ms / 24);
      world.run({ type: 'agent.present', who: a });
    }
    expect(got(reserve(world, b, 'src/x'))).toEqual([false]);
    world.pass(day_ms / 24 + 1);
    world.run({ type: 'agent.present', who: a });
    expect(got(reserve(world, b, 'src/x'))).toEqual([true]);
  });

  it('is refused where another reservation has a path in common, which is named', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**/*.ts'));
    const [refused] = reserve(world, b, 'src/a/*');
    expect(refused).toMatchObject({
      reservation: null,
      conflicts: [{ reservation_id: id, agent_id: a.id, pattern: 'src/**/*.ts', reason: 'refactoring' }],
    });
    expect(got(reserve(world, b, 'src/a/*.js'))).toEqual([true]);
  });

  it('is refused over a file that another agent has locked, or waits for', () => {
    const world = new World();
    world.lock(a, 'src/x.ts');
    const until = world.mono_ms + 20_000;
    const wait = {
      type: 'lock.acquire',
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: until,
    } as const;
    world.run({ ...wait, who: b, paths: ['src/x.ts'] });
    expect(reserve(world, c, 'src/*')[0]?.conflicts).toMatchObject([
      { reservation_id: null, agent_id: a.id, pattern: 'src/x.ts' },
    ]);
    world.run({ type: 'lock.release', who: a, paths: ['src/x.ts'] });
    expect(reserve(world, c, 'src/*')[0]?.conflicts).toMatchObject([
      { agent_id: b.id, pattern: 'src/x.ts', reason: 'waits for this file' },
    ]);
  });

  it('never conflicts with what the agent has itself', () => {
    const world = new World();
    world.lock(a, 'src/x.ts');
    reserve(world, a, 'src/*.ts');
    expect(got(reserve(world, a, ['src/**', 'src/x.ts']))).toEqual([true, true]);
    expect(tries(world, a, 'src/x.ts')).toEqual(['got']);
    expect(tries(world, a, 'src/y.ts')).toEqual(['got']);
  });

  it('keeps what is free, and with "all" nothing', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    expect(got(reserve(world, b, ['docs/*', 'src/*'], { all: true }))).toEqual([false, false]);
    expect(got(reserve(world, b, ['docs/*', 'src/*']))).toEqual([true, false]);
  });

  it('lets shared ones stand together, and no exclusive one beside them', () => {
    const world = new World();
    reserve(world, a, 'src/**', { mode: 'shared' });
    expect(got(reserve(world, b, 'src/*', { mode: 'shared' }))).toEqual([true]);
    expect(got(reserve(world, c, 'src/*'))).toEqual([false]);
    expect(tries(world, c, 'src/x')).toEqual([a.id]);
    expect(got(reserve(world, a, 'src/**'))).toEqual([false]);
  });

  it('counts against the quota, renewals apart', () => {
    const world = new World();
    world.policy = { ...world.policy, reservation_quota: 2 };
    const results = reserve(world, a, ['a', 'b', 'c']);
    expect(results.map(({ error }) => error)).toEqual([null, null, 'QUOTA']);
    expect(got(reserve(world, a, ['a', 'b']))).toEqual([true, true]);
    world.pass(900_001);
    expect(got(reserve(world, a, ['d']))).toEqual([true]);
  });

  it('looks without changing anything when it is dry', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    const before = world.records.length;
    const [first, second] = reserve(world, b, ['src/x', 'docs/**'], { dry: true });
    expect([first?.conflicts.length, second?.conflicts.length, world.records.length]).toEqual([1, 0, before]);
  });

  it('keeps the files of a linked worktree apart', () => {
    const world = new World();
    reserve(world, a, '**');
    expect(got(reserve(world, b, '**', { scope: '//wt/' }))).toEqual([true]);
    expect(tries(world, a, '//wt/src/x')).toEqual([b.id]);
    expect(tries(world, b, '//wt/src/x')).toEqual(['got']);
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
  });
});

describe('reserving again', () => {
  it('extends instead of stacking, and never shortens', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**'));
    world.pass(600_000);
    const [again] = reserve(world, a, 'src/**', { ttl_ms: 1_000 });
    expect(again).toMatchObject({ renewed: true, reservation: { id } });
    world.pass(200_000);
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
    reserve(world, a, 'src/**');
    world.pass(800_000);
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
    expect(world.types().filter((type) => type === 'hold')).toHaveLength(1);
  });

  it('makes a shared one exclusive only when nobody shares it', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**', { mode: 'shared' }));
    expect(reserve(world, a, 'src/**')[0]?.reservation).toMatchObject({ id, mode: 'exclusive' });
    expect(reserve(world, a, 'src/**', { mode: 'shared' })[0]?.reservation).toMatchObject({
      mode: 'exclusive',
    });
  });
});

describe('a reservation ends', () => {
  it('when it is given back, once or twice', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**'));
    expect(release(world, a, [id])).toEqual([{ id, released: true, was_held: true }]);
    expect(release(world, a, [id])).toEqual([{ id, released: true, was_held: false }]);
    expect(tries(world, b, 'src/x')).toEqual(['got']);
    expect(world.states.has(GLOBS)).toBe(false);
  });

  it('never by another agent', () => {
    const world = new World();
    const id = idOf(reserve(world, a, 'src/**'));
    expect(release(world, b, [id])).toEqual([{ id, released: false, was_held: false }]);
    expect(release(world, b, null)).toEqual([]);
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
  });

  it('with its time, whatever its holder does', () => {
    const world = new World();
    reserve(world, a, 'src/**', { ttl_ms: 10_000 });
    world.pass(9_000);
    world.run({ type: 'agent.present', who: a });
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
    world.pass(1_001);
    expect(tries(world, b, 'src/x')).toEqual(['got']);
  });

  it('with its holder: death, leaving, another process of the session, reboot', () => {
    const ends: ((world: World) => void)[] = [
      (world) => world.dead.add(1),
      (world) => world.run({ type: 'agent.leave', who: a, reason: 'session_end' }),
      (world) =>
        world.run({ type: 'agent.present', who: { ...a, proc: { ...a.proc, start: '9' } as typeof a.proc } }),
      (world) => Object.assign(world, { boot: 'boot-2' }),
    ];
    for (const over of ends) {
      const world = new World();
      reserve(world, a, 'src/**');
      expect(tries(world, b, 'src/x')).toEqual([a.id]);
      over(world);
      expect(tries(world, c, 'src/x')).toEqual(['got']);
    }
  });

  it('not with its turn, which ends leases alone', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    world.lock(a, 'docs/x');
    world.run({ type: 'turn.end', who: a, running: null });
    expect(tries(world, b, 'src/x')).toEqual([a.id]);
    expect(tries(world, b, 'docs/x')).toEqual(['got']);
  });

  it('with what lies on a file: wider ones as a whole, leases too, and it is said', () => {
    const world = new World();
    const [first, second, third] = reserve(world, a, ['src/**', 'src/x.*', 'docs/**']).map(
      ({ reservation }) => reservation?.id,
    );
    world.lock(a, 'src/x.ts');
    const told = world.run({ type: 'release.over', who: a, scope: '', pattern: 'src/x.ts' });
    expect(told).toEqual({
      reservations: [
        { id: first, pattern: 'src/**' },
        { id: second, pattern: 'src/x.*' },
      ],
      paths: ['src/x.ts'],
    });
    expect(tries(world, b, 'src/x.ts')).toEqual(['got']);
    expect(release(world, a, null)).toEqual([{ id: third, released: true, was_held: true }]);
  });
});

describe('a subagent', () => {
  const child = subagent(a, 'child');

  it('works inside the reservation of its session, one at a time', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    expect(tries(world, child, 'src/x')).toEqual(['got']);
    expect(tries(world, subagent(a, 'other'), 'src/x')).toEqual([child.id]);
    expect(tries(world, a, 'src/x')).toEqual([child.id]);
    expect(got(reserve(world, child, 'src/deep/**'))).toEqual([true]);
  });

  it('keeps its session out of what it reserved', () => {
    const world = new World();
    reserve(world, child, 'src/**');
    expect(tries(world, a, 'src/x')).toEqual([child.id]);
    world.run({ type: 'agent.leave', who: child, reason: 'subagent_stop' });
    expect(tries(world, a, 'src/x')).toEqual(['got']);
  });
});
