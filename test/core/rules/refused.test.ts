/** A refused lock: why, until when, for which paths, and the turn of the agent that asked. */
import { describe, expect, it } from 'vitest';
import { standingOn, reservedNow } from '../../../src/core/rules/standing.ts';
import { agent, file, H1, proc, seen, World } from '../world.ts';
import { reserve } from '../reservations/stage.ts';

const [a, b, c, d] = [1, 2, 3, 4].map((n) => agent('abcd'.charAt(n - 1), { proc: proc(n) })) as [
  ReturnType<typeof agent>,
  ReturnType<typeof agent>,
  ReturnType<typeof agent>,
  ReturnType<typeof agent>,
];
const iso = (wall_ms: number): string => new Date(wall_ms).toISOString();

const waits = (world: World, who: typeof a, path: string, mode: 'exclusive' | 'shared' = 'exclusive') =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode,
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: world.mono_ms + 20_000,
  })[0];

describe('a refused lock', () => {
  it('because of a lease: until its holder was idle for too long, not until its time is over', () => {
    const world = new World();
    const begun = world.wall_ms;
    world.lock(a, 'x');
    expect(world.lock(b, 'x')[0]).toMatchObject({
      acquired: false,
      holder: a.id,
      token: null,
      expires_at: iso(begun + world.policy.idle_ms),
      refused: { because: 'hold', mode: 'exclusive', since: iso(begun), place: 1, waiters: 0 },
    });
    world.pass(world.policy.idle_ms);
    expect(world.lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('because of several shared leases: until the last of them goes', () => {
    const world = new World();
    const shared = (who: typeof a, ttl_ms: number) =>
      world.run({
        type: 'lock.acquire',
        who,
        paths: ['x'],
        mode: 'shared',
        ttl_ms,
        all: false,
        wait_until_mono_ms: null,
      });
    shared(a, 10_000);
    const second = world.wall_ms;
    shared(b, 60_000);
    expect(world.lock(c, 'x')[0]).toMatchObject({
      holder: a.id,
      holders: [a.id, b.id],
      expires_at: iso(second + 60_000),
      refused: { because: 'hold', mode: 'shared' },
    });
  });

  it('because of a reservation: which, for what, and until it ends', () => {
    const world = new World();
    const begun = world.wall_ms;
    reserve(world, a, 'src/**', { reason: 'moving it', ttl_ms: 600_000 });
    expect(world.lock(b, 'src/x')[0]).toMatchObject({
      holder: a.id,
      expires_at: iso(begun + 600_000),
      refused: {
        because: 'reservation',
        mode: 'exclusive',
        since: iso(begun),
        reservation: { id: expect.stringMatching(/^r-/) as string, pattern: 'src/**', reason: 'moving it' },
        place: 1,
        waiters: 0,
      },
    });
  });

  it('because of a lease under a reservation: until both are gone', () => {
    const world = new World();
    world.lock(a, 'src/x');
    const begun = world.wall_ms;
    reserve(world, a, 'src/**', { ttl_ms: 600_000 });
    expect(world.lock(b, 'src/x')[0]).toMatchObject({
      holders: [a.id],
      expires_at: iso(begun + 600_000),
      refused: { because: 'hold', reservation: { pattern: 'src/**' } },
    });
  });

  it('because others have a turn before: who, and which turn is its own', () => {
    const world = new World();
    world.lock(a, 'x');
    expect(waits(world, b, 'x')?.refused).toMatchObject({ because: 'hold', place: 1, waiters: 0 });
    expect(waits(world, c, 'x')?.refused).toMatchObject({ because: 'hold', place: 2, waiters: 1 });
    expect(world.lock(d, 'x')[0]?.refused).toMatchObject({ because: 'hold', place: 3, waiters: 2 });
    world.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(waits(world, c, 'x')).toMatchObject({
      holder: b.id,
      refused: { because: 'queue', place: 2, waiters: 1 },
    });
    expect(world.lock(d, 'x')[0]).toMatchObject({
      holder: b.id,
      holders: [b.id, c.id],
      refused: { because: 'queue', place: 3, waiters: 2 },
    });
  });

  it('counts only those as ahead with whom it cannot share', () => {
    const world = new World();
    world.lock(a, 'x');
    waits(world, b, 'x', 'shared');
    expect(waits(world, c, 'x', 'shared')?.refused).toMatchObject({ place: 1, waiters: 1 });
  });

  it('of a file that was free, while another one of all was not, has no reason of its own', () => {
    const world = new World();
    world.lock(a, 'x');
    const [x, y] = world.run({
      type: 'lock.acquire',
      who: b,
      paths: ['x', 'y'],
      mode: 'exclusive',
      ttl_ms: null,
      all: true,
      wait_until_mono_ms: null,
    });
    expect([x?.refused?.because, y?.refused]).toEqual(['hold', undefined]);
  });
});

describe('under a write in flight', () => {
  it('a reservation that is over still keeps others out, and is named', () => {
    const world = new World();
    reserve(world, a, 'src/**', { ttl_ms: 10_000 });
    world.begin(a, 'src/x', 'op', file(H1), seen(H1));
    world.pass(20_000);
    expect(world.lock(b, 'src/x')[0]?.refused).toMatchObject({ because: 'reservation' });
    expect(reserve(world, b, 'src/x')[0]?.conflicts).toMatchObject([
      { agent_id: a.id, reason: 'is writing this file' },
    ]);
  });
});

describe('who keeps others off a file', () => {
  it('are leases, reservations and those who have a turn', () => {
    const world = new World();
    world.lock(a, 'src/x');
    reserve(world, a, 'src/**', { reason: 'moving it' });
    waits(world, b, 'src/x');
    expect(world.look((view, facts) => standingOn(view, 'src/x', facts))).toMatchObject({
      keepers: [
        { agent: a.id, because: 'hold' },
        { agent: a.id, because: 'reservation', reservation: { pattern: 'src/**', reason: 'moving it' } },
      ],
      queue: [b.id],
    });
    expect(world.look(reservedNow)).toMatchObject([{ agent: a.id, reservation: { pattern: 'src/**' } }]);
  });
});

describe('a release', () => {
  it('of a file that an own reservation still covers is none, and says which', () => {
    const world = new World();
    world.lock(a, 'src/x');
    const id = reserve(world, a, 'src/**', { reason: 'moving it' })[0]?.reservation?.id ?? '';
    const still = {
      released: false,
      was_held: true,
      reserved: [{ id, pattern: 'src/**', reason: 'moving it' }],
    };
    const release = () => world.run({ type: 'lock.release', who: a, paths: ['src/x'] });
    expect(release()).toMatchObject([still]);
    expect(release()).toMatchObject([still]);
    expect(world.path('src/x').holds).toEqual([]);
    world.run({ type: 'unreserve', who: a, ids: [id] });
    expect(release()).toMatchObject([{ released: true, was_held: false, reserved: [] }]);
  });

  it('of a file in the reservation of another one is nothing to do with that', () => {
    const world = new World();
    reserve(world, a, 'src/**');
    expect(world.run({ type: 'lock.release', who: b, paths: ['src/x'] })).toMatchObject([
      { released: true, was_held: false, reserved: [] },
    ]);
  });
});

describe('giving reservations back', () => {
  it('says which of the ids are none', () => {
    const world = new World();
    expect(world.run({ type: 'unreserve', who: a, ids: ['garbage', 'r-7'] })).toEqual([
      { id: 'garbage', released: false, was_held: false, is_unknown: true },
      { id: 'r-7', released: true, was_held: false },
    ]);
  });
});
