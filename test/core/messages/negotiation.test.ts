/** Asking for a file, answering, and what comes of silence. */
import { describe, expect, it } from 'vitest';
import { asInbox, inboxKey } from '../../../src/core/letters.ts';
import type { Letter } from '../../../src/core/letters.ts';
import { replyIn } from '../../../src/coordination/negotiation.ts';
import type { Who } from '../../../src/core/rules/agent.ts';
import { agent, proc, World } from '../world.ts';

const [a, b] = [1, 2].map((n) => agent('ab'.charAt(n - 1), { proc: proc(n) })) as [Who, Who];
const THREAD = 'thread-1';
const meant = (file: string) => ({ file, scope: '', pattern: file, path: file.includes('*') ? null : file });

const request = (world: World, file = 'src/x', urgency: 'normal' | 'urgent' = 'normal') =>
  world.run({
    type: 'negotiate.request',
    who: a,
    to: b.id,
    meant: meant(file),
    reason: 'why',
    urgency,
    thread_id: THREAD,
  });
const respond = (world: World, action: 'release' | 'defer', eta_minutes = 0, thread_id = THREAD) =>
  world.run({
    type: 'negotiate.respond',
    who: b,
    requester: a.id,
    thread_id,
    action,
    meant: meant('src/x'),
    eta_minutes,
    reason: 'busy',
  });
const expired = (world: World, who: Who) => world.run({ type: 'message.fetch', who, after: 1e12 }).expired;
const reserve = (world: World, pattern: string) =>
  world.run({
    type: 'reserve',
    who: b,
    scope: '',
    patterns: [pattern],
    mode: 'exclusive',
    reason: 'r',
    ttl_ms: 900_000,
    all: false,
    dry: false,
  });
const last = (world: World, who: Who): Letter | undefined =>
  world.run({ type: 'message.fetch', who, after: 0 }).letters.at(-1);

const held = (): World => {
  const world = new World();
  world.lock(b, 'src/x');
  world.run({ type: 'agent.present', who: a });
  return world;
};

describe('a request', () => {
  it('is a message with the fields of the protocol', () => {
    const world = held();
    request(world, 'src/x', 'urgent');
    const letter = last(world, b);
    expect(letter).toMatchObject({
      subject: 'release-request',
      importance: 'urgent',
      ack_required: true,
      thread_id: THREAD,
    });
    expect(JSON.parse(letter?.body ?? '')).toEqual({
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
  const letter = (body: string, subject = ''): Letter => ({
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
    const defer = letter('{"type":"release-defer","eta_minutes":5,"reason":"soon"}');
    const ack = letter('{"type":"release-ack","released_by":"x","released_cnt":1}');
    expect(replyIn([defer, ack, letter('thanks')], THREAD)).toMatchObject({
      status: 'released',
      released_by: 'x',
      released_cnt: 1,
    });
    expect(replyIn([ack, defer], THREAD)).toMatchObject({
      status: 'deferred',
      eta_minutes: 5,
      reason: 'soon',
    });
    expect(replyIn([letter('hello')], THREAD)).toBe(null);
  });

  it('is known by its subject where the body is no JSON', () => {
    expect(replyIn([letter('done', 'release-ack')], THREAD)).toMatchObject({
      status: 'released',
      released_by: b.id,
    });
  });
});

describe('a request that nobody settles', () => {
  it.each([
    ['normal', 10],
    ['urgent', 5],
  ] as const)('%s expires after %d minutes, for both, and is no more than said', (urgency, minutes) => {
    const world = held();
    request(world, 'src/x', urgency);
    world.pass(minutes * 60_000 - 10);
    expect(expired(world, a)).toEqual([]);
    world.pass(1_000);
    const one = {
      thread_id: THREAD,
      file: 'src/x',
      to: b.id,
      urgency,
      age_minutes: minutes,
      deferred: false,
    };
    expect([expired(world, a), expired(world, b)]).toEqual([[one], [one]]);
    expect(world.path('src/x').holds).toHaveLength(1);
  });

  it('counts when it was deferred, and not when it was released', () => {
    const world = held();
    request(world);
    respond(world, 'defer', 30);
    world.pass(660_000);
    expect(expired(world, a)).toMatchObject([{ deferred: true }]);
    respond(world, 'release');
    expect(expired(world, a)).toEqual([]);
  });

  it('is understood in the body of an older client too', () => {
    const world = held();
    const body = JSON.stringify({ type: 'release-request', pattern: 'src/x', reason: 'r', requester: a.id });
    const letter = {
      body,
      subject: '',
      topic: null,
      thread_id: null,
      importance: 'normal',
      ack_required: false,
    } as const;
    const { thread_id } = world.run({ type: 'message.send', who: a, to: [b.id], letter });
    world.pass(660_000);
    expect(expired(world, b)).toMatchObject([{ thread_id, file: 'src/x', to: b.id }]);
    expect(respond(world, 'release', 0, thread_id).released.paths).toEqual(['src/x']);
  });

  it('is escalated once, by configuration, and told again to its holder', () => {
    const world = held();
    request(world);
    const told = () => world.run({ type: 'message.deliver', who: b }).letters.length;
    expect([told(), told()]).toEqual([1, 0]);
    world.pass(660_000);
    expired(world, a);
    expect(world.types()).not.toContain('escalate');
    world.policy = { ...world.policy, escalate: 'remind' };
    expired(world, a);
    expired(world, b);
    expect(world.types().filter((type) => type === 'escalate')).toHaveLength(1);
    expect([told(), told()]).toEqual([1, 0]);
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
