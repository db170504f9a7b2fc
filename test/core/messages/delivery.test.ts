/** What a hook reports of an inbox and what it leaves: nothing twice, and nothing shown whole is unread again. */
import { describe, expect, it } from 'vitest';
import { isShownWhole, quoted } from '../../../src/core/mail-words.ts';
import type { Outgoing } from '../../../src/core/rules/mail.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { World } from '../world.ts';
import { a, b, held, meant, request, reserve } from './stage.ts';

const write = (world: World, body: string, message: Partial<Omit<Outgoing, 'to'>> = {}) =>
  world.run({
    type: 'message.send',
    who: a,
    to: [b.id],
    message: {
      body,
      subject: '',
      topic: null,
      thread_id: null,
      importance: 'normal',
      ack_required: false,
      ...message,
    },
  });
const here = (): World => {
  const world = new World();
  for (const who of [a, b]) world.run({ type: 'agent.present', who });
  return world;
};
const tell = (world: World, all: boolean, who: Who = b) => world.run({ type: 'message.deliver', who, all });
const bodies = ({ messages }: { readonly messages: readonly { readonly body: string }[] }): string[] =>
  messages.map(({ body }) => body);
const look = (world: World, after: number | null = null) =>
  world.run({ type: 'message.fetch', who: b, after });

describe('what a hook tells', () => {
  it('is at a step what cannot wait, at a prompt the rest too, each once', () => {
    const world = here();
    write(world, 'ordinary');
    write(world, 'urgent', { importance: 'urgent' });
    expect(bodies(tell(world, false))).toEqual(['urgent']);
    expect(tell(world, true)).toMatchObject({ messages: [{ body: 'ordinary' }], unread: 0 });
    expect(tell(world, true)).toMatchObject({ messages: [], unread: 0 });
  });

  it('is read when it was shown whole, and counted when it was cut', () => {
    const world = here();
    write(world, 'short');
    write(world, 'x'.repeat(401));
    write(world, 'x'.repeat(400));
    expect(tell(world, true)).toMatchObject({ messages: { length: 3 }, unread: 1 });
    expect(tell(world, true)).toMatchObject({ messages: [], unread: 1 });
    expect(look(world)).toMatchObject({ unread: 1, messages: [{ body: 'x'.repeat(401), read: false }] });
    expect(tell(world, true).unread).toBe(0);
  });

  it('is at most five, those that cannot wait first; the others are counted, and come the next time', () => {
    const world = here();
    for (let n = 0; n < 6; n++) write(world, `n${n}`);
    for (let n = 0; n < 4; n++) write(world, `u${n}`, { importance: 'urgent' });
    expect(tell(world, true)).toMatchObject({ messages: { length: 5 }, more: 1, unread: 5 });
    expect(bodies(tell(world, true))).toEqual(['u3', 'n2', 'n3', 'n4', 'n5']);
  });
});

describe('a look into the inbox', () => {
  it('shows what is unread, then the newest, however much was read before', () => {
    const world = here();
    for (let n = 0; n < 60; n++) write(n % 20 === 0 ? world.pass(60_000) : world, `old ${n}`);
    while (look(world).unread > 0);
    write(world.pass(60_000), 'new');
    expect(look(world)).toMatchObject({ unread: 1, more: false, messages: [{ body: 'new', read: false }] });
    const newest = look(world);
    expect(newest).toMatchObject({ unread: 0, more: false, messages: { length: 10 } });
    expect(bodies(newest).at(-1)).toBe('new');
    expect(bodies(look(world, newest.last))).toEqual([]);
  });

  it('shows of what is unread one page after another', () => {
    const world = here();
    for (let n = 0; n < 60; n++) write(n % 20 === 0 ? world.pass(60_000) : world, `no. ${n}`);
    expect(look(world)).toMatchObject({ unread: 60, more: true, messages: { length: 50 } });
    const second = look(world);
    expect(second).toMatchObject({ unread: 10, more: false });
    expect(bodies(second)[0]).toBe('no. 50');
  });

  it('from the oldest on shows everything, with what was read marked', () => {
    const world = here();
    ['one', 'two'].forEach((body) => write(world, body));
    tell(world, true);
    write(world, 'three');
    expect(look(world, 0).messages.map(({ body, read }) => [body, read])).toEqual([
      ['one', true],
      ['two', true],
      ['three', false],
    ]);
  });
});

describe('what is shown of a message', () => {
  it('is whole only as it stands between its quotes, in at most so many characters', () => {
    const message = (body: string) => ({ ...LETTER, body });
    expect(isShownWhole(message('"'.repeat(200)))).toBe(true);
    expect(isShownWhole(message('"'.repeat(201)))).toBe(false);
    expect(isShownWhole({ ...message('x'), subject: 'y'.repeat(201) })).toBe(false);
    expect(quoted('\u001b'.repeat(100)).length).toBeLessThanOrEqual(200 + '" [cut]"'.length);
    expect(quoted('\u001b'.repeat(100))).toMatch(/^"(?:\\\\x1b)+.* \[cut\]"$/);
  });
});

const LETTER = {
  id: 'm-1',
  from: a.id,
  to: [b.id],
  topic: null,
  thread_id: 'm-1',
  subject: '',
  body: '',
  kind: 'message',
  importance: 'normal',
  ack_required: false,
  sent_wall_ms: 0,
} as const;

const ask = (world: World, thread_id: string, file = 'src/x', reason = 'why') =>
  world.run({
    type: 'negotiate.request',
    who: a,
    to: b.id,
    meant: meant(file),
    reason,
    urgency: 'normal',
    thread_id,
  });
const freed = (world: World) => tell(world, false, a).freed.map(({ file }) => file);

describe('a request for a pattern', () => {
  it('is told as free when all of it is released, once', () => {
    const world = held();
    world.lock(b, 'src/y');
    reserve(world, 'src/deep/**');
    request(world, 'src/**');
    expect(freed(world)).toEqual([]);
    world.run({ type: 'lock.release', who: b, paths: ['src/x', 'src/y'] });
    expect(freed(world)).toEqual([]);
    world.run({ type: 'unreserve', who: b, ids: null });
    expect(freed(world)).toEqual(['src/**']);
    expect(freed(world)).toEqual([]);
  });

  it('is free where its holder is gone', () => {
    const world = held();
    request(world, 'src/*');
    world.dead.add(2);
    expect(freed(world)).toEqual(['src/*']);
  });

  it('is not kept by what somebody else holds, or the holder holds elsewhere', () => {
    const world = held();
    world.lock(b, 'lib/z');
    request(world, 'src/*');
    world.run({ type: 'lock.release', who: b, paths: ['src/x'] });
    world.lock(a, 'src/y');
    expect(freed(world)).toEqual(['src/*']);
  });
});

describe('the same request, made twice', () => {
  it('is one line when the file is free', () => {
    const world = held();
    ask(world, 't-1');
    ask(world, 't-2', 'src/x', 'another reason');
    world.run({ type: 'lock.release', who: b, paths: ['src/x'] });
    expect(freed(world)).toEqual(['src/x']);
    expect(freed(world)).toEqual([]);
  });

  it('is told to its holder once, also when the second comes after the first was told', () => {
    const world = held();
    ask(world, 't-1');
    ask(world, 't-2');
    expect(tell(world, false).messages.map(({ thread_id }) => thread_id)).toEqual(['t-1']);
    ask(world, 't-3');
    expect(tell(world, false)).toMatchObject({ messages: [], unread: 0 });
    ask(world, 't-4', 'src/x', 'it is urgent now');
    expect(tell(world, false).messages.map(({ thread_id }) => thread_id)).toEqual(['t-4']);
  });

  it('is answered by one answer, and nobody is told that it is free besides', () => {
    const world = held();
    ask(world, 't-1');
    ask(world, 't-2');
    const answered = world.run({
      type: 'negotiate.respond',
      who: b,
      requester: a.id,
      thread_id: 't-1',
      action: 'release',
      meant: meant('src/x'),
      eta_minutes: 0,
      reason: '',
    });
    expect(answered.error).toBe(null);
    expect(tell(world, false, a)).toMatchObject({ messages: [{ kind: 'release-ack' }], freed: [] });
    expect(tell(world, true, a)).toMatchObject({ messages: [], freed: [], unread: 0 });
  });
});
