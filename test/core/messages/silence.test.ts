/** Requests that no one settles: what is listed, recorded and reported again. */
import { describe, expect, it } from 'vitest';
import type { Who } from '../../../src/core/rules/who.ts';
import { a, b, expired, held, request, respond, THREAD } from './stage.ts';

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
    const message = {
      body,
      subject: '',
      topic: null,
      thread_id: null,
      importance: 'normal',
      ack_required: false,
    } as const;
    const { thread_id } = world.run({ type: 'message.send', who: a, to: [b.id], message });
    world.pass(660_000);
    expect(expired(world, b)).toMatchObject([{ thread_id, file: 'src/x', to: b.id }]);
    expect(respond(world, 'release', 0, thread_id).released.paths).toEqual(['src/x']);
  });

  it('is escalated once, by configuration, and told again to its holder', () => {
    const world = held();
    request(world);
    const told = () => world.run({ type: 'message.deliver', who: b }).messages.length;
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

describe('a request that nobody answered, of a requester that never looks into its inbox', () => {
  const late = (escalate: 'off' | 'record' | 'remind') => {
    const world = held();
    world.policy = { ...world.policy, escalate };
    request(world);
    world.run({ type: 'message.deliver', who: b });
    world.pass(660_000);
    const step = (who: Who) => world.run({ type: 'message.deliver', who }).messages.length;
    return { world, told: [step(a), step(a), step(b), step(b)] };
  };

  it('is put on record once at its next hook, with "record"', () => {
    const { world, told } = late('record');
    expect(told).toEqual([0, 0, 0, 0]);
    expect(world.records.filter(({ type }) => type === 'escalate')).toMatchObject([
      { agent: a.id, from: a.id, to: b.id, file: 'src/x', urgency: 'normal', age_minutes: 11 },
    ]);
  });

  it('is told to its holder again too, with "remind"', () => {
    const { world, told } = late('remind');
    expect(told).toEqual([0, 0, 1, 0]);
    expect(world.types().filter((type) => type === 'escalate')).toHaveLength(1);
  });

  it('is left alone where nothing is configured', () => {
    expect(late('off').world.types()).not.toContain('escalate');
  });
});
