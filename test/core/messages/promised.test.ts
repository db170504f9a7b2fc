/** A file released on request is promised to the requester for a short while, without a wait. */
import { describe, expect, it } from 'vitest';
import { PROMISE_MS } from '../../../src/core/limits.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { statusOf } from '../../../src/core/report.ts';
import { agent, file, H1, POLICY, proc, seen, type World } from '../world.ts';
import { a, b, held, meant, request, reserve, respond } from './stage.ts';

const bystander: Who = agent('c', { proc: proc(3) });
const waiter: Who = agent('d', { proc: proc(4) });

const tries = (world: World, who: Who, path = 'src/x') => world.lock(who, path)[0];
const got = (world: World, who: Who, path = 'src/x'): boolean => tries(world, who, path)?.acquired === true;
const waits = (world: World, who: Who, path: string, for_ms = 60_000) =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode: 'exclusive',
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: world.mono_ms + for_ms,
  })[0];

const promised = (): World => {
  const world = held();
  request(world);
  respond(world, 'release');
  return world;
};

describe('a file that was released on request', () => {
  it('is refused to a bystander, who is told for whom and until when, and goes to its asker', () => {
    const world = promised();
    expect(tries(world, bystander)).toMatchObject({
      acquired: false,
      holder: a.id,
      expires_at: new Date(world.wall_ms + PROMISE_MS - 2).toISOString(),
      refused: { because: 'queue', place: 2, waiters: 1 },
    });
    expect(got(world, b)).toBe(false);
    expect(got(world, a)).toBe(true);
    expect(world.path('src/x').queue).toEqual([]);
  });

  it('goes to anybody when its asker did not come', () => {
    const world = promised();
    world.pass(PROMISE_MS - 100);
    expect(got(world, bystander)).toBe(false);
    world.pass(100);
    expect(got(world, bystander)).toBe(true);
  });

  it.each<[string, (world: World) => unknown]>([
    ['dies', (world) => world.dead.add(1)],
    ['leaves', (world) => world.run({ type: 'agent.depart', who: a, paths: [], reservations: [] })],
    ['ends', (world) => world.run({ type: 'agent.leave', who: a, reason: 'session_end' })],
    [
      'says that it does not need it',
      (world) => world.run({ type: 'lock.release', who: a, paths: ['src/x'] }),
    ],
  ])('goes to anybody when its asker %s', (_, happens) => {
    const world = promised();
    happens(world);
    expect(got(world, bystander)).toBe(true);
  });

  it('goes to those who waited for it before', () => {
    const world = held();
    waits(world, waiter, 'src/x');
    request(world);
    respond(world, 'release');
    expect(got(world, a)).toBe(false);
    expect(waits(world, waiter, 'src/x')?.acquired).toBe(true);
  });

  it('stays free of the promise after its asker had it by a write', () => {
    const world = held();
    world.policy = { ...POLICY, enforcement: 'auto' };
    request(world);
    respond(world, 'release');
    expect(world.begin(a, 'src/x', 'op', file(H1), seen(H1)).verdict).toBe('approved');
    expect(world.path('src/x').queue).toEqual([]);
  });

  it('keeps the place of an asker that then waits for it', () => {
    const world = held();
    waits(world, waiter, 'src/x');
    request(world);
    respond(world, 'release');
    waits(world, waiter, 'src/x');
    waits(world, bystander, 'src/x');
    expect(waits(world, a, 'src/x', 5_000)?.refused).toMatchObject({ because: 'hold', place: 1, waiters: 1 });
    const own = world.path('src/x').queue.find((one) => one.agent === a.id);
    expect(own).not.toHaveProperty('promised');
    world.run({ type: 'lock.release', who: waiter, paths: ['src/x'] });
    expect(waits(world, bystander, 'src/x')?.acquired).toBe(false);
    expect(waits(world, a, 'src/x')?.acquired).toBe(true);
  });

  it.each<[string, (world: World) => unknown]>([
    ['lock release', (world) => world.run({ type: 'lock.release', who: b, paths: ['src/x'] })],
    [
      'lock release --all-held',
      (world) => world.run({ type: 'lock.release_all', who: b, held: ['src/x', 'y'] }),
    ],
  ])('by %s while the request is open is promised too', (_, release) => {
    const world = held();
    world.lock(b, 'y');
    request(world);
    release(world);
    expect(got(world, bystander)).toBe(false);
    expect(got(world, a)).toBe(true);
    expect(world.path('y').queue).toEqual([]);
  });

  it('out of a reservation is promised when that is given back, not before', () => {
    const world = held();
    reserve(world, 'src/**');
    request(world);
    world.run({ type: 'lock.release', who: b, paths: ['src/x'] });
    expect(world.path('src/x').queue).toEqual([]);
    world.run({ type: 'unreserve', who: b, ids: null });
    expect(got(world, bystander)).toBe(false);
    expect(got(world, a)).toBe(true);
  });

  it('is promised file by file where a pattern was asked for', () => {
    const world = held();
    world.lock(b, 'src/y', 'lib/z');
    request(world, 'src/*');
    world.run({
      type: 'negotiate.respond',
      who: b,
      requester: a.id,
      thread_id: 'thread-1',
      action: 'release',
      meant: meant('**'),
      eta_minutes: 0,
      reason: '',
    });
    expect(['src/x', 'src/y', 'lib/z'].map((path) => got(world, bystander, path))).toEqual([
      false,
      false,
      true,
    ]);
    expect(['src/x', 'src/y'].map((path) => got(world, a, path))).toEqual([true, true]);
  });

  it('is promised to all who asked, in the order of asking behind the one that was answered', () => {
    const world = held();
    const asks = (who: Who, thread_id: string) =>
      world.run({
        type: 'negotiate.request',
        who,
        to: b.id,
        meant: meant('src/x'),
        reason: 'why',
        urgency: 'normal',
        thread_id,
      });
    asks(bystander, 'first');
    asks(waiter, 'second');
    request(world);
    respond(world, 'release');
    const queue = [...world.path('src/x').queue].sort((one, other) => one.ticket - other.ticket);
    expect(queue.map((one) => one.agent)).toEqual([a.id, bystander.id, waiter.id]);
  });
});

describe('a promise and deadlocks', () => {
  it('closes no circle: nobody waits because of it', () => {
    const world = promised();
    world.lock(waiter, 'y');
    waits(world, waiter, 'src/x');
    waits(world, a, 'y');
    expect(world.look(statusOf).cycles).toEqual([]);
    expect(world.look(statusOf).waits).toEqual([expect.objectContaining({ from: a.id, to: waiter.id })]);
    expect(world.types()).not.toContain('deadlock');
  });

  it('is on record, with who keeps it and for how long', () => {
    expect(promised().records.find(({ type }) => type === 'promise')).toMatchObject({
      agent: a.id,
      by: b.id,
      paths: ['src/x'],
      ttl_ms: PROMISE_MS,
    });
  });
});

describe('a request that is not taken back', () => {
  const takes = (world: World, path: string): boolean => world.lock(b, path)[0]?.acquired === true;
  const gives = (world: World, path: string) => world.run({ type: 'lock.release', who: b, paths: [path] });

  it.each(['src/x', 'src/*'])('for %s gives its asker the first try at a file once, not for ever', (file) => {
    const world = held();
    request(world, file);
    world.lock(b, 'src/y');
    gives(world, 'src/x');
    expect(takes(world, 'src/x')).toBe(false);
    world.pass(PROMISE_MS);
    expect(takes(world, 'src/x')).toBe(true);
    gives(world, 'src/x');
    expect(takes(world, 'src/x')).toBe(true);
    expect(got(world, bystander, 'src/y')).toBe(false);
  });

  it('does so when it is made again', () => {
    const world = held();
    request(world);
    gives(world, 'src/x');
    world.pass(PROMISE_MS);
    expect(takes(world, 'src/x')).toBe(true);
    request(world);
    gives(world, 'src/x');
    expect(takes(world, 'src/x')).toBe(false);
  });
});
