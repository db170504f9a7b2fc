/** Invalid answers: from a third agent, about another file, or untrue. */
import { describe, expect, it } from 'vitest';
import { asInbox, inboxKey, type Negotiation } from '../../../src/core/mailbox.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { RespondEvent } from '../../../src/core/rules/negotiate.ts';
import type { SendEvent } from '../../../src/core/rules/message.ts';
import { agent, proc, type World } from '../world.ts';
import { a, b, held, meant, request, reserve, THREAD } from './stage.ts';

const mallory = agent('m', { proc: proc(3) });
const ACK = JSON.stringify({ type: 'release-ack', released: true, released_by: b.id, released_cnt: 3 });

const write = (world: World, who: Who, to: Who, message: Partial<SendEvent['message']> = {}) =>
  world.run({
    type: 'message.send',
    who,
    to: [to.id],
    message: {
      ...{ body: 'hello', subject: '', topic: null, thread_id: THREAD },
      ...{ importance: 'normal', ack_required: false },
      ...message,
    },
  });
const answer = (world: World, wish: Partial<RespondEvent> = {}) =>
  world.run({
    ...{ type: 'negotiate.respond', who: b, requester: a.id, thread_id: THREAD, action: 'release' },
    ...{ meant: meant('src/x'), eta_minutes: 0, reason: '' },
    ...wish,
  });
const talks = (world: World, who: Who): readonly Negotiation[] =>
  asInbox(world.states.get(inboxKey(who.id))).talks;
const told = (world: World, who: Who) => world.run({ type: 'message.deliver', who });

describe('a third agent', () => {
  it('that says "released" in the thread of two others settles nothing, and nobody is told so', () => {
    const world = held();
    request(world);
    expect(write(world, mallory, a, { body: ACK }).error).toBe(null);
    expect([talks(world, a).length, talks(world, b).length]).toEqual([1, 1]);
    expect(told(world, a).messages).toEqual([]);
  });

  it('that says "deferred" changes nothing that they know', () => {
    const world = held();
    request(world);
    write(world, mallory, a, { body: '{"type":"release-defer","eta_minutes":60}' });
    expect(talks(world, a)).toMatchObject([{ deferred: false }]);
  });

  it('that answers what it was not asked is refused', () => {
    const world = held();
    request(world);
    expect(answer(world, { who: mallory }).error).toBe('NOT_ASKED');
    expect(answer(world, { who: mallory, action: 'defer' }).error).toBe('NOT_ASKED');
    expect(talks(world, a)).toMatchObject([{ deferred: false }]);
  });

  it('that asks in the same thread takes nobody’s request away', () => {
    const world = held();
    request(world);
    write(world, mallory, b, { body: '{"type":"release-request","file":"src/x"}' });
    expect(talks(world, b).map(({ from }) => from)).toEqual([a.id, mallory.id]);
    answer(world);
    expect(talks(world, b).map(({ from }) => from)).toEqual([mallory.id]);
    expect(talks(world, a)).toEqual([]);
  });

  it('writes as many messages as everybody, also where they look like answers', () => {
    const world = held();
    const errors = Array.from(
      { length: 40 },
      () => write(world, mallory, b, { subject: 'release-ack' }).error,
    );
    expect(errors.filter((error) => error === null).length).toBe(30);
    expect(errors.at(-1)).toBe('RATE_LIMITED');
  });
});

describe('whoever was asked', () => {
  it('cannot say "released" of what it still holds', () => {
    const world = held();
    request(world);
    expect(write(world, b, a, { body: ACK }).error).toBe('STILL_HELD');
    expect(talks(world, a).length).toBe(1);
    world.run({ type: 'lock.release', who: b, paths: ['src/x'] });
    expect(write(world, b, a, { body: ACK }).error).toBe(null);
    expect(told(world, a).messages.map(({ kind }) => kind)).toEqual(['release-ack']);
  });

  it.each(['src/x', 'src/*'])('cannot release another file in answer to a request for %s', (file) => {
    const world = held();
    reserve(world, 'lib/**');
    request(world, file);
    expect(answer(world, { meant: meant('lib/y') })).toMatchObject({
      error: 'OTHER_FILE',
      released: { paths: [], reservations: [] },
    });
    expect(world.lock(a, 'lib/y')[0]?.acquired).toBe(false);
    expect(answer(world, { meant: meant('src/**') })).toMatchObject({
      error: null,
      released: { paths: ['src/x'] },
    });
  });

  it('may say "released" again, which changes nothing and tells nobody', () => {
    const world = held();
    request(world);
    expect(answer(world)).toMatchObject({ error: null, released: { paths: ['src/x'] } });
    world.lock(b, 'src/y');
    const messages = () => world.types().filter((type) => type === 'message').length;
    const before = messages();
    const again = { settled: true, error: null, released: { paths: [], reservations: [] } };
    expect(answer(world)).toMatchObject(again);
    expect(answer(world, { meant: meant('src/y') })).toMatchObject(again);
    expect(answer(world, { action: 'defer', eta_minutes: 5 }).error).toBe('SETTLED');
    expect(messages()).toBe(before);
    expect(world.lock(a, 'src/y')[0]?.acquired).toBe(false);
  });

  it('who defers often enough is as limited as everybody', () => {
    const world = held();
    request(world);
    const errors = Array.from({ length: 40 }, () => answer(world, { action: 'defer', eta_minutes: 5 }).error);
    expect(errors.at(-1)).toBe('RATE_LIMITED');
  });

  it('cannot defer another file than was asked for', () => {
    const world = held();
    request(world);
    expect(answer(world, { action: 'defer', meant: meant('lib/y') }).error).toBe('OTHER_FILE');
  });
});
