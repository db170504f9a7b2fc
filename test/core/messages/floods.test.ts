/** Noise, age and similar names: what must still be found in an inbox, and which agent a name refers to. */
import { describe, expect, it } from 'vitest';
import { asInbox, inboxKey } from '../../../src/core/mailbox.ts';
import { INBOX_MAX } from '../../../src/core/limits.ts';
import type { SendEvent } from '../../../src/core/rules/message.ts';
import { nameFor } from '../../../src/core/names.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, World } from '../world.ts';
import { held, request, respond } from './stage.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => agent(name)) as [Who, Who, Who];

const write = (world: World, to: Who, message: Partial<SendEvent['message']> = {}) =>
  world.pass(3_000).run({
    type: 'message.send',
    who: a,
    to: [to.id],
    message: {
      ...{ body: 'hello', subject: '', topic: null, thread_id: null },
      ...{ importance: 'normal', ack_required: false },
      ...message,
    },
  });
const fetch = (world: World, after = 0) => world.run({ type: 'message.fetch', who: b, after });
const told = (world: World) =>
  world.run({ type: 'message.deliver', who: b }).messages.map(({ body }) => body);

describe('a message to everybody', () => {
  it('counts as several where they are many', () => {
    const world = new World();
    const everybody = Array.from({ length: 61 }, (_, n) => agent(`r${n}`));
    [a, ...everybody].forEach((who) => world.run({ type: 'agent.present', who }));
    const message = {
      body: 'x',
      subject: '',
      topic: null,
      thread_id: null,
      importance: 'normal',
      ack_required: false,
    } as const;
    const send = (to: SendEvent['to']) => world.run({ type: 'message.send', who: a, to, message }).error;
    const answers = Array.from({ length: 9 }, () => send('everybody'));
    // 61 recipients cost 4 of the 30 messages; another message may be sent while any of them are left.
    expect(answers).toEqual([...Array.from({ length: 8 }, () => null), 'RATE_LIMITED']);
    world.pass(60_000);
    expect(send([b.id, c.id])).toBe(null);
  });
});

describe('a full inbox', () => {
  it('keeps what a hook has to tell of when others write on', () => {
    const world = new World();
    write(world, b, { body: 'now', importance: 'urgent' });
    for (let n = 0; n < INBOX_MAX + 5; n++) write(world, b, { body: `${n}` });
    expect(told(world)).toEqual(['now']);
  });

  it('costs little to write again for every message', () => {
    const world = new World();
    for (let n = 0; n < INBOX_MAX; n++) write(world, b);
    expect(JSON.stringify(world.states.get(inboxKey(b.id))).length).toBeLessThan(INBOX_MAX * 64);
    const [head] = asInbox(world.states.get(inboxKey(b.id))).heads;
    expect(head).toEqual({
      ...{ id: head?.id, from: a.id, thread_id: head?.id },
      ...{ kind: 'message', importance: 'normal', ack_required: false },
      ...{ read: false, told: false, acked: false },
    });
  });

  it('takes the newest in any case', () => {
    const world = new World();
    for (let n = 0; n < INBOX_MAX; n++) write(world, b, { importance: 'urgent' });
    const { id } = write(world, b, { body: 'last' });
    expect(asInbox(world.states.get(inboxKey(b.id))).heads.at(-1)?.id).toBe(id);
  });
});

describe('an inbox older than its messages', () => {
  it('shows what came after those that compaction forgot', () => {
    const world = new World();
    for (let n = 0; n < 60; n++) write(world, b);
    for (const key of [...world.states.keys()]) if (key.startsWith('message:')) world.states.delete(key);
    write(world, b, { body: 'new' });
    expect(fetch(world)).toMatchObject({ messages: [{ body: 'new' }], more: false });
    expect(asInbox(world.states.get(inboxKey(b.id))).heads.length).toBe(1);
  });
});

describe('a name', () => {
  const named = (world: World, who: Who, name: string): boolean =>
    world.run({ type: 'agent.describe', who, name });

  it('that another agent goes by without having chosen it is not free', () => {
    const world = new World();
    world.run({ type: 'agent.present', who: b });
    expect(named(world, c, nameFor(b.id))).toBe(false);
    expect(named(world, b, nameFor(b.id))).toBe(true);
    world.run({ type: 'agent.leave', who: b, reason: 'end' });
    expect(named(world, c, nameFor(b.id))).toBe(true);
  });

  it('cannot be the id of another agent', () => {
    const world = new World();
    world.run({ type: 'agent.present', who: b });
    expect(named(world, c, b.id)).toBe(false);
  });
});

describe('a time that is no number', () => {
  it('is none', () => {
    const world = held();
    request(world);
    expect(respond(world, 'defer', NaN).eta_minutes).toBe(0);
    expect(respond(world, 'defer', Infinity).eta_minutes).toBe(60);
    expect(respond(world, 'defer', -3).eta_minutes).toBe(0);
  });
});
