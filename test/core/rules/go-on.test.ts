/** What a drafted agent may go on with after its end, and who may speak to it. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../../src/core/agent-limits.ts';
import { retryOf } from '../../../src/core/draft-retry.ts';
import { type AgentLimits, draftKey, type DraftState, type Ending } from '../../../src/core/drafts.ts';
import type { Who } from '../../../src/core/rules/agent.ts';
import { mayTell } from '../../../src/core/rules/draft-say.ts';
import { agent, proc, World } from '../world.ts';

const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };
const [lead, dev, other] = [agent('lead'), agent('dev'), agent('other')];

const begin = (world: World, who: Who, one: Who, limits: Partial<AgentLimits> = {}) =>
  world.run({
    ...{
      type: 'draft',
      phase: 'begin',
      who,
      agent: one,
      role: 'r',
      category: 'c',
      access: 'full',
      task: 't',
    },
    ...{ limits: { ...DEFAULT_LIMITS, ...limits }, bounds: DEFAULT_BOUNDS, drafter: proc(1) },
  });
const ENDING: Ending = {
  ...{ status: 'completed', reason: 'done', exit_code: 0, signal: null, last_output: 'Bye.', result: null },
  ...{ needs: { questions: ['Which?'], denials: [] }, api_error: null, worktree: null },
  usage: { turns: 2, cost_usd: 0.5, tools: { Read: 1 } },
};
const end = (world: World, who: Who, more: Partial<Ending> = {}) =>
  world.run({ type: 'draft', phase: 'exit', who, ...ENDING, ...more });
const say = (world: World, who: Who, to: Who, id: string) =>
  world.run({
    ...{ type: 'draft', phase: 'say', who, id: to.id, said: { id, text: `text ${id}` } },
    ...{ bounds: DEFAULT_BOUNDS, supervisor: proc(2) },
  });
const stateOf = (world: World, who: Who): DraftState =>
  world.states.get(draftKey(who.id)) as unknown as DraftState;

describe('an agent that is over', () => {
  it('goes on with the first word that is said to it, and the second finds it at work', () => {
    const world = new World();
    begin(world, person, dev);
    end(world, dev);
    expect(say(world, person, dev, 'one').goes_on).toMatchObject({
      dispatch: 2,
      needs: null,
      status: 'starting',
    });
    expect(say(world, person, dev, 'two').goes_on).toBeUndefined();
    expect(stateOf(world, dev)).toMatchObject({
      status: 'starting',
      supervisor: proc(2),
      unheard: [
        { id: 'one', by: person.id, is_given: true },
        { id: 'two', by: person.id },
      ],
    });
    expect(world.agent(dev)).toMatchObject({ live: true });
  });

  it.each([
    ['turns', { turns: 2 }, 2],
    ['cost', { cost_usd: 0.5 }, 0.5],
    ['budget', { tree_turns: 2 }, null],
    ['budget', { tree_cost_usd: 0.5 }, null],
  ] as const)('does not where its %s are used up', (why, limits, limit) => {
    const world = new World();
    begin(world, person, dev, limits);
    end(world, dev);
    expect(say(world, person, dev, 'one').refused).toMatchObject({ why, limit });
    expect(stateOf(world, dev)).not.toHaveProperty('unheard');
  });

  it('has what is left of its money, and no more than its tree', () => {
    const world = new World();
    begin(world, person, dev, { cost_usd: 2, tree_cost_usd: 1.2 });
    end(world, dev);
    expect(say(world, person, dev, 'one').draft?.share_usd).toBeCloseTo(1.2);
  });
});

describe('what was not heard at an end', () => {
  it('begins another run in the same transaction, once', () => {
    const world = new World();
    begin(world, person, dev);
    say(world, person, dev, 'one');
    say(world, person, dev, 'two');
    expect(end(world, dev, { heard: ['one'], may_go_on: true }).goes_on).toMatchObject({
      dispatch: 2,
      unheard: [{ id: 'two' }],
    });
    expect(end(world, dev, { may_go_on: true }).goes_on).toBeUndefined();
    expect(stateOf(world, dev)).toMatchObject({ status: 'completed', unheard: [{ id: 'two' }] });
  });

  it('stays on record where nobody looks after the agent, or where it failed', () => {
    for (const how of [{}, { may_go_on: true, status: 'failed' }] as const) {
      const world = new World();
      begin(world, person, dev);
      say(world, person, dev, 'one');
      expect(end(world, dev, how).goes_on).toBeUndefined();
      expect(stateOf(world, dev).unheard).toHaveLength(1);
    }
  });
});

describe('an API that may work later', () => {
  const failed = (turns: number, retry: DraftState['retry'], is_transient = true): DraftState => ({
    ...({ limits: DEFAULT_LIMITS, usage: { turns, cost_usd: 0, tools: {} } } as DraftState),
    ...{
      retry: retry ?? null,
      api_error: { status: 529, kind: 'overloaded_error', attempts: 3, is_transient },
    },
  });
  it('is tried again three times in a row, after longer and longer waits', () => {
    const waits: number[] = [];
    let retry = retryOf(failed(5, null));
    for (; retry !== null; retry = retryOf(failed(5, retry))) waits.push(retry.wait_ms);
    expect(waits).toEqual([30_000, 120_000, 480_000]);
  });
  it('begins to count anew where the agent got on meanwhile, and is none where it will not pass', () => {
    expect(retryOf(failed(6, { count: 3, wait_ms: 1, turns: 5 }))).toMatchObject({ count: 1 });
    expect(retryOf(failed(5, null, false))).toBeNull();
  });
});

describe('who may speak to a drafted agent', () => {
  it('is a person, a session that nobody drafted, and what is above it in its tree', () => {
    const world = new World();
    begin(world, person, lead);
    begin(world, lead, dev);
    begin(world, person, other);
    const all = [lead, dev, other].map((who) => stateOf(world, who));
    const [top, below, aside] = all as [DraftState, DraftState, DraftState];
    expect(mayTell(undefined, below, all)).toBe(true);
    expect(mayTell(top, below, all)).toBe(true);
    expect(mayTell({ ...top, access: 'readonly' }, below, all)).toBe(false);
    for (const [from, to] of [
      [below, top],
      [aside, below],
      [top, top],
    ] as const)
      expect(mayTell(from, to, all)).toBe(false);
  });
});
