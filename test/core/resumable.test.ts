/** Queued agents whose predecessor ended through no fault of its own, and can be resumed. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import type { DraftState, Ending } from '../../src/core/drafts.ts';
import { DIED } from '../../src/core/lost.ts';
import { queuePlaces } from '../../src/core/queue-words.ts';
import { drafting, type More, SPENT } from './drafts-world.ts';
import { agent } from './world.ts';

const LOST: Partial<Ending> = { status: 'failed', reason: DIED };

describe('an agent that comes after others', () => {
  it('waits while one of them can be resumed, and starts when that has completed after all', () => {
    const { draft, next, end, place, say } = drafting(8);
    draft('a');
    draft('c', { after: [agent('a')] });
    draft('d', { after: [agent('c')] });
    draft('e', { after: [agent('a')], anyway: true });
    end('a', LOST);
    expect(next()).toMatchObject({ draft: { id: 'claude-e' }, ended: [] });
    expect(next()).toMatchObject({ draft: null, ended: [] });
    expect(place('c')).toMatchObject({
      ...{ why: 'after', after: ['claude-a'], resumable: ['claude-a'], is_stuck: true },
      words: 'queued, 1st of 2: waits until guard agent send resumes claude-a',
    });
    expect(place('d')).toMatchObject({ after: ['claude-c'], is_stuck: true });
    expect(draft('f', { after: [agent('a')] }).draft?.status).toBe('queued');
    expect(say('a').goes_on?.status).toBe('starting');
    expect(place('c')).not.toHaveProperty('is_stuck');
    expect(place('d')).not.toHaveProperty('is_stuck');
    end('a');
    expect([next(), next()].map((told) => told.draft?.id)).toEqual(['claude-c', 'claude-f']);
  });

  it('waits though one of them was found lost hours after it was last at work', () => {
    const { world, draft, next, end, place, say, state } = drafting(8);
    draft('a');
    draft('c', { after: [agent('a')] });
    const { started_wall_ms } = state('a');
    world.mono_ms += 10 * 3_600_000;
    world.wall_ms += 10 * 3_600_000;
    end('a', { ...LOST, at_work_wall_ms: started_wall_ms + 600_000 });
    expect(next()).toMatchObject({ draft: null, ended: [] });
    expect(place('c')).toMatchObject({ resumable: ['claude-a'], is_stuck: true });
    expect(say('a').goes_on).toMatchObject({ ran_ms: 600_000 });
  });

  it('is not stuck while another of them is at work', () => {
    const { draft, end, place } = drafting(8);
    draft('a');
    draft('b');
    draft('c', { after: [agent('a'), agent('b')] });
    end('a', LOST);
    expect(place('c')).toMatchObject({ after: ['claude-b', 'claude-a'], resumable: ['claude-a'] });
    expect(place('c')).not.toHaveProperty('is_stuck');
    expect(place('c')?.words).toContain(
      'for the end of claude-b, and until guard agent send resumes claude-a',
    );
  });

  it.each<[string, More, Partial<Ending>]>([
    ['its turns', { limits: { ...DEFAULT_LIMITS, turns: 1 } }, {}],
    ['its own money', { limits: { ...DEFAULT_LIMITS, cost_usd: 1 } }, SPENT(1)],
    ['the money of its tree', { limits: { ...DEFAULT_LIMITS, tree_cost_usd: 1 } }, SPENT(1)],
    ['the turns of its tree', { limits: { ...DEFAULT_LIMITS, tree_turns: 1 } }, {}],
  ])('is refused where one of them was lost, but has used up %s', (_, limits, spent) => {
    const { draft, next, end } = drafting(8);
    draft('a', limits);
    draft('c', { after: [agent('a')] });
    end('a', { ...LOST, ...spent });
    expect(next().ended).toMatchObject([{ id: 'claude-c', status: 'refused' }]);
  });

  it('is one of very many in one tree, and their places cost no more than a look may', () => {
    const { draft, end, all, world } = drafting(500);
    draft('lead');
    draft('first', { by: agent('lead') });
    draft('last', { by: agent('lead'), after: [agent('first')] });
    end('first', LOST);
    const [lead, first, last] = all();
    if (lead === undefined || first === undefined || last === undefined) throw new Error('no agents');
    const many = (one: DraftState, more: (nth: number) => object): DraftState[] =>
      Array.from({ length: 200 }, (_, nth) => ({ ...one, ...more(nth) }));
    const after = (nth: number) => [1, 2, 3].map((more) => `lost-${(nth + more) % 200}`);
    const drafts = [
      lead,
      ...many(first, (nth) => ({ id: `lost-${nth}` })),
      ...many(last, (nth) => ({ id: `waits-${nth}`, queued: { ...last.queued, after: after(nth) } })),
    ];
    const began = process.cpuUsage();
    const places = [...queuePlaces({ all: drafts, now: world.facts.now }).values()];
    const { user, system } = process.cpuUsage(began);
    expect(places.filter(({ is_stuck }) => is_stuck === true)).toHaveLength(200);
    // 42 ms were measured, and 2,000 when each looked through the whole tree by parents.
    expect((user + system) / 1_000).toBeLessThan(700);
  });

  it('is refused at last where one of them was resumed, and failed for good', () => {
    const { draft, next, end, say } = drafting(8);
    draft('a');
    draft('c', { after: [agent('a')] });
    end('a', LOST);
    say('a');
    end('a', { status: 'failed', reason: 'x' });
    expect(next().ended).toMatchObject([{ id: 'claude-c', status: 'refused' }]);
  });
});
