/** A ledger a month after most of its agents left, compacted by the rules alone. */
import { describe, expect, it } from 'vitest';
import { remainsOf } from '../../src/core/remains.ts';
import { forgetReserved, forgottenReservers } from '../../src/core/rules/forget-reserved.ts';
import { reserve } from './rules/lease-scope.ts';
import { agent, H1, missing, World } from './world.ts';

const MONTH_MS = 31 * 24 * 3_600_000;
const [a, b, c] = [agent('a'), agent('b'), agent('c')];

/** As `guard compact` does it, for every key of the ledger. */
function compact(world: World): void {
  const { now } = world.facts;
  const over = world.look((view) => forgottenReservers(view, now));
  for (const { s } of world.look((view) => forgetReserved(view, over, now)).records) set(world, s);
  for (const [key, state] of [...world.states]) {
    if (!world.states.has(key)) continue;
    set(world, remainsOf(key, state, { now, see: (other) => world.states.get(other) }) ?? {});
  }
}

function set({ states }: World, changed: Readonly<Record<string, unknown>>): void {
  for (const [key, state] of Object.entries(changed))
    if (state === null) states.delete(key);
    else states.set(key, state as never);
}

const keys = (world: World, ...below: readonly string[]): string[] =>
  [...world.states.keys()].filter((key) => below.some((one) => key.startsWith(one)));

const send = (world: World, who: typeof a, to: readonly string[], topic: string | null = null) =>
  world.run({
    ...{ type: 'message.send', who, to },
    message: { topic, thread_id: null, subject: 's', body: 'b', importance: 'normal', ack_required: true },
  });
const follow = (world: World, who: typeof a, topic: string) =>
  world.run({ type: 'message.prefer', who, block: [], unblock: [], follow: [topic], unfollow: [] });

/** Time passes, and the machine boots again. */
function later(world: World, ms = MONTH_MS): World {
  world.pass(ms);
  world.boot = `boot-${world.lsn}`;
  return world;
}

describe('a month after an agent left, compaction forgets', () => {
  it('its inbox and the topics that only it followed', () => {
    const world = new World();
    follow(world, b, 'builds');
    send(world, a, [b.id], 'builds');
    later(world);
    follow(world, c, 'tests');
    expect(keys(world, 'inbox:', 'topic:').length).toBeGreaterThan(2);
    compact(world);
    expect(keys(world, 'inbox:', 'topic:', 'message:', 'thread:')).toEqual(['topic:tests']);
  });

  it('its reservations, and every key that leads to them', () => {
    const world = new World();
    reserve(world, a, '', 'src/deep/er/**');
    reserve(world, b, '', 'docs/**');
    later(world);
    reserve(world, c, '', 'docs/x/**');
    compact(world);
    expect(keys(world, 'globs:').sort()).toEqual(['globs:', 'globs:claude-c']);
    expect(keys(world, 'begins:', 'below:').filter((key) => key.includes('src'))).toEqual([]);
    // Another agent may reserve the same, and the tree is still that of all reservations.
    expect(reserve(world, b, '', 'src/**')).toMatchObject([{ error: null }]);
  });

  it('its locks, also one under which it died in the middle of a write', () => {
    const world = new World();
    world.lock(a, 'half.txt', 'locked.txt', 'written.txt');
    world.begin(a, 'written.txt', 'op0', missing);
    world.end(a, 'written.txt', 'op0', H1);
    world.begin(a, 'half.txt', 'op1', missing);
    later(world);
    compact(world);
    expect(keys(world, 'held/', 'path:', 'agent:')).toEqual(['path:written.txt']);
    expect(world.path('written.txt')).toMatchObject({ holds: [], last_write: { agent: a.id } });
  });
});

describe('a month later, compaction keeps', () => {
  it('everything of an agent that is alive', () => {
    const world = new World();
    follow(world, b, 'builds');
    send(world, a, [b.id], 'builds');
    later(world);
    world.run({ type: 'message.fetch', who: b, after: null });
    world.lock(b, 'mine.txt');
    reserve(world, b, '', 'src/**');
    const mine = (): string[] =>
      keys(
        world,
        'inbox:claude-b',
        'topic:',
        'globs:',
        'begins:',
        'below:',
        'held/',
        'path:',
        'agent:claude-b',
      );
    const before = mine();
    compact(world);
    expect(mine()).toEqual(before);
  });

  it('a new message to an agent that is gone or has not joined yet', () => {
    const world = new World();
    world.lock(b, 'x.txt');
    later(world);
    send(world, a, [b.id, 'claude-new']);
    compact(world);
    expect(keys(world, 'inbox:').sort()).toEqual(['inbox:claude-a', 'inbox:claude-b', 'inbox:claude-new']);
    const { messages } = world.run({ type: 'message.deliver', who: b, all: true });
    expect(messages).toMatchObject([{ from: a.id, body: 'b' }]);
  });

  it('a lock that another lock server reports under a name that never joined, as long as it lasts', () => {
    const world = new World();
    world.lock(a, 'x.txt');
    world.states.delete('agent:claude-a');
    compact(world);
    expect(world.lock(b, 'x.txt')).toMatchObject([{ acquired: false, holder: a.id }]);
  });
});

describe('after an agent was forgotten', () => {
  /** `b` has a message of `a`, and both are forgotten. */
  function forgotten(): World {
    const world = new World();
    send(world, a, [b.id]);
    compact(later(world));
    expect(world.states.size).toBe(0);
    return world;
  }

  it('it comes back and finds an empty inbox; an acknowledgement of the old message says that there is none', () => {
    const world = forgotten();
    expect(world.run({ type: 'message.deliver', who: b, all: true })).toMatchObject({
      messages: [],
      unread: 0,
    });
    expect(world.run({ type: 'message.ack', who: b, id: 'm-100' })).toBe(false);
    expect(send(world, a, [b.id])).toMatchObject({ delivered: [b.id], error: null });
  });

  it('its request ends for the agent that was asked', () => {
    const world = new World();
    world.lock(b, 'x.txt');
    const meant = { file: 'x.txt', path: 'x.txt', scope: '', pattern: 'x.txt' };
    world.run({
      ...{ type: 'negotiate.request', who: a, to: b.id, meant },
      ...{ urgency: 'normal', thread_id: null, reason: 'r' },
    } as never);
    later(world);
    world.lock(b, 'y.txt');
    compact(world);
    expect(keys(world, 'inbox:')).toEqual(['inbox:claude-b']);
    world.run({ type: 'lock.release', who: b, paths: ['x.txt'] });
    expect(world.run({ type: 'message.deliver', who: a, all: true }).messages).toEqual([]);
  });

  it('a file whose write it never ended is free, where its state was not carried', () => {
    const world = new World();
    world.lock(a, 'x.txt');
    world.begin(a, 'x.txt', 'op1', missing);
    later(world).states.delete('agent:claude-a');
    expect(world.lock(b, 'x.txt')).toMatchObject([{ acquired: true }]);
  });
});
