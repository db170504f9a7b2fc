/** Asking for a file and answering. */
import { describe, expect, it } from 'vitest';
import { replyIn } from '../../../src/operations/negotiation-reply.ts';
import { asInbox, inboxKey, type Message } from '../../../src/core/mailbox.ts';
import { a, b, held, last, request, reserve, respond, THREAD } from './stage.ts';

describe('a request', () => {
  it('is a message with the fields of the protocol', () => {
    const world = held();
    request(world, 'src/x', 'urgent');
    const message = last(world, b);
    expect(message).toMatchObject({
      subject: 'release-request',
      importance: 'urgent',
      ack_required: true,
      thread_id: THREAD,
    });
    expect(JSON.parse(message?.body ?? '')).toEqual({
      type: 'release-request',
      file: 'src/x',
      reason: 'why',
      requester: a.id,
      urgency: 'urgent',
      thread_id: THREAD,
    });
  });

  it('to an agent that holds nothing there is an error, and no message', () => {
    const world = held();
    expect(request(world, 'src/y')).toEqual({ sent: null, error: 'NOTHING_HELD' });
    expect(last(world, b)).toBe(undefined);
  });

  it('may be about a glob, or a file inside of one', () => {
    const world = held();
    reserve(world, 'docs/**');
    expect(request(world, 'docs/a.md').error).toBe(null);
    expect(request(world, 'docs/*').error).toBe(null);
    expect(request(world, 'src/*').error).toBe(null);
  });
});

describe('an answer', () => {
  it('"release" ends lease and reservations, and says how many', () => {
    const world = held();
    reserve(world, 'src/**');
    request(world);
    expect(respond(world, 'release').released).toMatchObject({
      paths: ['src/x'],
      reservations: [{ pattern: 'src/**' }],
    });
    expect(JSON.parse(last(world, a)?.body ?? '')).toMatchObject({
      type: 'release-ack',
      released: true,
      released_by: b.id,
      released_cnt: 2,
    });
    expect(world.lock(a, 'src/x')[0]?.acquired).toBe(true);
    expect(asInbox(world.states.get(inboxKey(a.id))).talks).toEqual([]);
  });

  it('"release" of what is not held any more counts nothing', () => {
    const world = held();
    request(world);
    world.run({ type: 'lock.release', who: b, paths: ['src/x'] });
    respond(world, 'release');
    expect(JSON.parse(last(world, a)?.body ?? '')).toMatchObject({ released_cnt: 0 });
  });

  it.each([
    [-5, 0],
    [90, 60],
    [12, 12],
  ])('"defer" by %d minutes is one by %d', (given, eta_minutes) => {
    const world = held();
    request(world);
    expect(respond(world, 'defer', given).eta_minutes).toBe(eta_minutes);
    expect(JSON.parse(last(world, a)?.body ?? '')).toEqual({
      type: 'release-defer',
      file: 'src/x',
      eta_minutes,
      reason: 'busy',
      released: false,
    });
    expect(world.lock(a, 'src/x')[0]?.acquired).toBe(false);
  });

  it('in a thread that is not there is an error, and ends nothing', () => {
    const world = held();
    expect(respond(world, 'release', 0, 'other').error).toBe('NO_THREAD');
    expect(world.lock(a, 'src/x')[0]?.acquired).toBe(false);
  });
});

describe('a reply', () => {
  const message = (body: string, subject = ''): Message => ({
    ...{ id: 'm-1', from: b.id, to: [a.id], topic: null, thread_id: THREAD, subject, body },
    kind:
      subject === 'release-ack' || body.includes('ack')
        ? 'release-ack'
        : body.includes('defer')
          ? 'release-defer'
          : 'message',
    importance: 'normal',
    ack_required: false,
    sent_wall_ms: 0,
  });

  it('is the newest one', () => {
    const defer = message('{"type":"release-defer","eta_minutes":5,"reason":"soon"}');
    const ack = message('{"type":"release-ack","released_by":"x","released_cnt":1}');
    expect(replyIn([defer, ack, message('thanks')], THREAD, b.id)).toMatchObject({
      status: 'released',
      released_by: b.id,
      released_cnt: 1,
    });
    expect(replyIn([ack, defer], THREAD, b.id)).toMatchObject({
      status: 'deferred',
      eta_minutes: 5,
      reason: 'soon',
    });
    expect(replyIn([message('hello')], THREAD, b.id)).toBe(null);
  });

  it('is known by its subject where the body is no JSON', () => {
    expect(replyIn([message('done', 'release-ack')], THREAD, b.id)).toMatchObject({
      status: 'released',
      released_by: b.id,
    });
  });
});

describe('the requester at its next hook', () => {
  it('is told once that the file is free, also where nobody answered', () => {
    const world = held();
    request(world);
    const freed = () => world.run({ type: 'message.deliver', who: a }).freed.map(({ file }) => file);
    expect(freed()).toEqual([]);
    world.run({ type: 'turn.end', who: b, running: null });
    expect([freed(), freed()]).toEqual([['src/x'], []]);
  });
});
