/** Queued agents: what the rules decide, whichever process starts the agents and in whatever order they are queued. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { comesAfter, QUEUE, QUEUED_MAX } from '../../src/core/draft-queue.ts';
import { ordinal } from '../../src/core/queue-words.ts';
import { drafting, person, SPENT } from './drafts-world.ts';
import { agent, proc } from './world.ts';

const HOUR_MS = 3_600_000;

describe('a draft for which there is no place', () => {
  it('is queued, and started once by whoever asks first when there is one', () => {
    const { draft, next, end, state, world, place } = drafting(1);
    draft('a');
    expect(draft('b').draft).toMatchObject({ status: 'queued', supervisor: null, queued: { starts: 0 } });
    expect(draft('c').draft?.status).toBe('queued');
    expect(next().draft).toBeNull();
    expect(place('c')).toMatchObject({ place: 2, of: 2, why: 'place' });
    end('a');
    expect(next().draft).toMatchObject({ id: 'claude-b', status: 'starting', supervisor: proc(2) });
    expect(next(proc(3)).draft).toBeNull();
    end('b');
    expect(next().draft?.id).toBe('claude-c');
    expect(state('c').queued?.starts).toBe(1);
    expect(world.states.has(QUEUE)).toBe(false);
    expect(next()).toMatchObject({ draft: null, refused: null });
  });

  it('does not go before who was there earlier, though there is a place for it by now', () => {
    const { draft, end, next } = drafting(1);
    draft('a');
    draft('b');
    end('a');
    expect(draft('c').draft?.status).toBe('queued');
    expect(next().draft?.id).toBe('claude-b');
  });

  it('is refused only where very many are queued', () => {
    const { draft, world } = drafting(1);
    draft('a');
    const agents = Array.from({ length: QUEUED_MAX }, (_, n) => `claude-${n}`);
    world.states.set(QUEUE, { agents });
    expect(draft('b').refused).toEqual({ why: 'queue', limit: QUEUED_MAX });
  });

  it('starts by priority and time, and an hour of waiting is worth a step of it', () => {
    const { draft, end, next, world, place } = drafting(1);
    draft('a');
    draft('old', { priority: 1 });
    world.pass(HOUR_MS / 2);
    draft('low', { priority: -9 });
    draft('same');
    draft('high', { priority: 2 });
    expect(['high', 'old', 'same', 'low'].map((name) => place(name)?.place)).toEqual([1, 2, 3, 4]);
    world.pass(12 * HOUR_MS);
    draft('late', { priority: 2 });
    // `low` has waited twelve hours, one more than the eleven that `late` is ahead by priority.
    expect(place('low')?.place).toBe(4);
    expect(place('late')?.place).toBe(5);
    end('a');
    expect(next().draft?.id).toBe('claude-high');
  });

  it('is ended at once by a word, and never started', () => {
    const { draft, next, end, world } = drafting(1);
    draft('a');
    draft('b');
    const kill = { type: 'draft', phase: 'kill', who: person, id: 'claude-b', reason: 'no' } as const;
    expect(world.run(kill).draft).toMatchObject({ status: 'killed', reason: `no (by ${person.id})` });
    end('a');
    expect(next().draft).toBeNull();
    expect(world.agent(agent('b'))?.live).toBe(false);
  });

  it('is started on the machine that has what it is started from', () => {
    const { draft, next, end } = drafting(1);
    draft('a');
    draft('b');
    end('a');
    expect(next({ ...proc(2), machine: 'another' }).draft).toBeNull();
    expect(next().draft?.id).toBe('claude-b');
  });
});

describe('one whose starter died', () => {
  it('is queued again, once; a supervisor of before may not go on', () => {
    const { draft, next, end, world, state } = drafting(1);
    draft('a');
    draft('b');
    end('a');
    next();
    const back = { type: 'draft', phase: 'requeue', who: agent('b'), starts: 1 } as const;
    expect(world.run(back).draft?.status).toBe('queued');
    expect(world.run(back).refused?.why).toBe('ended');
    const begin = { type: 'draft', phase: 'supervise', who: agent('b'), supervisor: proc(7) } as const;
    expect(world.run({ ...begin, starts: 1 }).refused?.why).toBe('ended');
    expect(next().draft?.queued?.starts).toBe(2);
    expect(world.run({ ...begin, starts: 1 }).refused?.why).toBe('ended');
    expect(world.run({ ...begin, starts: 2 }).refused).toBeNull();
    // It has a supervisor now.
    expect(world.run({ ...back, starts: 2 }).refused?.why).toBe('ended');
    expect(state('b')).toMatchObject({ status: 'starting', supervisor: proc(7) });
  });
});

describe('one that comes after others', () => {
  it('starts when all of them have completed', () => {
    const { draft, next, end, place } = drafting(8);
    draft('a');
    draft('b');
    draft('c', { after: [agent('a'), agent('b')] });
    expect(next().draft).toBeNull();
    expect(place('c')).toMatchObject({ why: 'after', after: ['claude-a', 'claude-b'] });
    end('a');
    expect(next().draft).toBeNull();
    end('b');
    expect(next().draft?.id).toBe('claude-c');
    expect(draft('d', { after: [agent('a')] }).draft?.status).toBe('starting');
  });

  it('ends as refused when one of them did not, and so does what comes after it', () => {
    const { draft, next, end, state } = drafting(8);
    draft('a');
    draft('c', { after: [agent('a')] });
    draft('d', { after: [agent('c')] });
    draft('e', { after: [agent('a')], anyway: true });
    end('a', { status: 'failed', reason: 'x' });
    const told = next();
    expect(told.ended?.map(({ id }) => id)).toEqual(['claude-c', 'claude-d']);
    expect(told.draft?.id).toBe('claude-e');
    expect(state('c')).toMatchObject({
      status: 'refused',
      reason: 'claude-a ended as failed, and it was to follow that agent',
    });
    expect(draft('f', { after: [agent('a')] }).refused).toMatchObject({ why: 'after', agent: 'claude-a' });
    expect(draft('g', { after: [agent('nobody')] }).refused?.why).toBe('after');
  });

  it('is known to come after whatever those come after', () => {
    const { draft, all } = drafting(8);
    draft('a');
    draft('b', { after: [agent('a')] });
    draft('c', { after: [agent('b')] });
    expect(comesAfter(all(), 'claude-c', 'claude-a')).toBe(true);
    expect(comesAfter(all(), 'claude-b', 'claude-c')).toBe(false);
    expect(comesAfter(all(), 'claude-a', 'claude-a')).toBe(false);
  });
});

describe('one for which its tree has no money', () => {
  const tree = { limits: { ...DEFAULT_LIMITS, tree_cost_usd: 4 } };
  const share = (cost_usd: number) => ({ by: agent('lead'), limits: { ...DEFAULT_LIMITS, cost_usd } });

  it('starts when another one gives some back, and the tree never has set aside more than there is', () => {
    const { draft, next, end, place, all } = drafting(8);
    draft('lead', { limits: { ...tree.limits, cost_usd: 1 } });
    draft('a', share(3));
    expect(draft('b', share(3)).draft).toMatchObject({ status: 'queued' });
    expect(place('b')).toMatchObject({ why: 'share' });
    expect(next().draft).toBeNull();
    end('a', SPENT(1));
    expect(next().draft).toMatchObject({ id: 'claude-b', share_usd: 2 });
    const set_aside = all().reduce(
      (sum, { share_usd, usage, ended_wall_ms }) =>
        sum + (ended_wall_ms === null ? Math.max(share_usd ?? 0, usage.cost_usd) : usage.cost_usd),
      0,
    );
    expect(set_aside).toBe(4);
  });

  it('is refused where nobody is left who could: who has the rest waits for it', () => {
    const { draft, next, lend, state } = drafting(8);
    draft('lead', { limits: { ...tree.limits, cost_usd: 4 } });
    expect(draft('a', share(1)).draft?.status).toBe('queued');
    expect(next().ended).toEqual([]);
    lend('lead', 30_000);
    expect(next().ended).toMatchObject([{ id: 'claude-a', status: 'refused' }]);
    expect(state('a').reason).toContain('of the 4 USD');
    expect(draft('b', share(1)).refused).toMatchObject({ why: 'budget', money: { left_usd: 0 } });
  });
});

describe('a lead that waits for those that are queued', () => {
  it('lends its place, for as long as it says so', () => {
    const { draft, next, lend, world } = drafting(1);
    draft('lead');
    draft('a', { by: agent('lead') });
    expect(next().draft).toBeNull();
    lend('lead', 30_000);
    draft('b', { by: agent('lead') });
    expect(next().draft?.id).toBe('claude-a');
    // Its place is taken.
    expect(next().draft).toBeNull();
    lend('a', 30_000);
    world.pass(30_000);
    expect(next().draft).toBeNull();
    lend('lead', 30_000);
    lend('a', 30_000);
    expect(next().draft?.id).toBe('claude-b');
  });
});

describe('a place in a plan', () => {
  it('has one agent at a time, and another one only where that did not complete', () => {
    const { draft, end } = drafting(1);
    draft('a', { plan: 'p/1' });
    expect(draft('b', { plan: 'p/1' }).refused).toMatchObject({ why: 'planned', agent: 'claude-a' });
    end('a', { status: 'failed', reason: 'x' });
    expect(draft('c', { plan: 'p/1' }).draft?.status).toBe('starting');
    end('c');
    expect(draft('d', { plan: 'p/1' }).refused).toMatchObject({ why: 'planned', agent: 'claude-c' });
  });
});

it.each(['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '112th'])('%s', (words) =>
  expect(ordinal(Number.parseInt(words, 10))).toBe(words),
);
