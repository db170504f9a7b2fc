/** Messages: who receives them, that they arrive once and in order, and what limits noise. */
import { describe, expect, it } from 'vitest';
import { asInbox, inboxKey } from '../../../src/core/mailbox.ts';
import { INBOX_MAX } from '../../../src/core/limits.ts';
import { type SendEvent, staleAcks } from '../../../src/core/rules/message.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { changesOver } from '../../../src/core/states.ts';
import { agent, World } from '../world.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => agent(name)) as [Who, Who, Who];

const write = (world: World, who: Who, to: SendEvent['to'], message: Partial<SendEvent['message']> = {}) =>
  world.run({
    type: 'message.send',
    who,
    to,
    message: {
      body: 'hello',
      subject: '',
      topic: null,
      thread_id: null,
      importance: 'normal',
      ack_required: false,
      ...message,
    },
  });
const fetch = (world: World, who: Who, after = 0) => world.run({ type: 'message.fetch', who, after });
const deliver = (world: World, who: Who) => world.run({ type: 'message.deliver', who });
const bodies = (world: World, who: Who) => fetch(world, who).messages.map(({ body }) => body);
const here = (...all: Who[]): World => {
  const world = new World();
  all.forEach((who) => world.run({ type: 'agent.present', who }));
  return world;
};

describe('a message', () => {
  it('is read in order, by cursor, and marked as read', () => {
    const world = here(a, b);
    ['one', 'two', 'three'].forEach((body) => write(world, a, [b.id], { body }));
    const first = fetch(world, b);
    expect(first.messages.map(({ body, read }) => [body, read])).toEqual([
      ['one', false],
      ['two', false],
      ['three', false],
    ]);
    expect(fetch(world, b, first.last)).toMatchObject({ messages: [], more: false, last: first.last });
    write(world, a, [b.id], { body: 'four' });
    expect(fetch(world, b, first.last).messages.map(({ body }) => body)).toEqual(['four']);
    expect(fetch(world, b).messages.map(({ read }) => read)).toEqual([true, true, true, true]);
  });

  it('to everybody reaches all but the sender and those who left', () => {
    const world = here(a, b, c);
    world.run({ type: 'agent.leave', who: c, reason: 'over' });
    expect(write(world, a, 'everybody').delivered).toEqual([b.id]);
  });

  it('on a topic reaches its followers', () => {
    const world = here(a, b, c);
    const prefer = { type: 'message.prefer', block: [], unblock: [], follow: [], unfollow: [] } as const;
    world.run({ ...prefer, who: b, follow: ['builds'] });
    expect(write(world, a, [], { topic: 'builds' }).delivered).toEqual([b.id]);
    world.run({ ...prefer, who: b, unfollow: ['builds'] });
    expect(write(world, a, [], { topic: 'builds' })).toMatchObject({ delivered: [], error: 'NOBODY' });
  });

  it('from somebody who is blocked does not arrive', () => {
    const world = here(a, b);
    const prefer = { type: 'message.prefer', follow: [], unfollow: [] } as const;
    expect(world.run({ ...prefer, who: b, block: [a.id], unblock: [] })).toEqual([a.id]);
    expect(write(world, a, [b.id])).toMatchObject({ error: 'BLOCKED', blocked: [b.id] });
    world.run({ ...prefer, who: b, block: [], unblock: [a.id] });
    write(world, a, [b.id], { body: 'again' });
    expect(bodies(world, b)).toEqual(['again']);
  });

  it('is refused above so many in a minute, until the next', () => {
    const world = here(a, b);
    world.policy = { ...world.policy, messages_per_minute: 2 };
    world.mono_ms = 600_000;
    const errors = [1, 2, 3].map(() => write(world, a, [b.id]).error);
    expect(errors).toEqual([null, null, 'RATE_LIMITED']);
    world.pass(60_000);
    expect(write(world, a, [b.id]).error).toBe(null);
  });

  it('is kept with the newest of its inbox: what was read goes first', () => {
    const world = here(a, b);
    world.policy = { ...world.policy, messages_per_minute: 10_000 };
    write(world, a, [b.id], { body: 'unread and oldest' });
    const { last } = fetch(world, b);
    for (let n = 0; n < INBOX_MAX; n++) write(world, a, [b.id], { body: `${n}` });
    const { heads } = asInbox(world.states.get(inboxKey(b.id)));
    expect([heads.length, heads.some(({ id }) => id === `m-${last}`)]).toEqual([INBOX_MAX, false]);
  });

  it('that wants an ack is awaited until everybody gave it', () => {
    const world = here(a, b, c);
    const { id } = write(world, a, [b.id, c.id], { ack_required: true });
    const awaited = () => asInbox(world.states.get(inboxKey(a.id))).awaited.map(({ to }) => to);
    expect(world.run({ type: 'message.ack', who: b, id })).toBe(true);
    expect(awaited()).toEqual([[c.id]]);
    expect(world.run({ type: 'message.ack', who: c, id })).toBe(true);
    expect(awaited()).toEqual([]);
    expect(world.run({ type: 'message.ack', who: b, id: 'm-1' })).toBe(false);
  });
});

describe('an ack that does not come', () => {
  it('is listed to the sender after 5 minutes where it was urgent, after 10 otherwise', () => {
    const world = here(a, b);
    const urgent = write(world, a, [b.id], { ack_required: true, importance: 'urgent' });
    const normal = write(world, a, [b.id], { ack_required: true });
    write(world, a, [b.id]);
    const stale = (who: Who) => {
      const view = {
        next: world.lsn,
        has: () => true,
        get: (key: string) => world.states.get(key),
        range: () => [],
      };
      return staleAcks(changesOver(view), who.id, world.facts).map(({ id }) => id);
    };
    expect(stale(a)).toEqual([]);
    world.pass(301_000);
    expect(stale(a)).toEqual([urgent.id]);
    world.pass(300_000);
    expect(stale(a)).toEqual([urgent.id, normal.id]);
    expect(stale(b)).toEqual([]);
    world.run({ type: 'message.ack', who: b, id: urgent.id });
    expect(stale(a)).toEqual([normal.id]);
  });
});

describe('at a hook', () => {
  it('urgent messages are told once, others wait', () => {
    const world = here(a, b);
    write(world, a, [b.id], { body: 'later' });
    write(world, a, [b.id], { body: 'now', importance: 'urgent' });
    expect(deliver(world, b).messages.map(({ body }) => body)).toEqual(['now']);
    expect(deliver(world, b).messages).toEqual([]);
    expect(bodies(world, b)).toEqual(['later', 'now']);
  });

  it('at most three are told, the rest at the next', () => {
    const world = here(a, b);
    for (let n = 0; n < 5; n++) write(world, a, [b.id], { body: `${n}`, importance: 'urgent' });
    const first = deliver(world, b);
    expect([first.messages.length, first.more]).toEqual([3, 2]);
    expect(deliver(world, b).messages.map(({ body }) => body)).toEqual(['3', '4']);
  });

  it('nothing is told of what was read', () => {
    const world = here(a, b);
    write(world, a, [b.id], { importance: 'urgent' });
    fetch(world, b);
    expect(deliver(world, b).messages).toEqual([]);
  });
});
