/** With what a drafted agent may continue after its end, and which agents may send it messages. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../../src/core/agent-limits.ts';
import { retryOf } from '../../../src/core/draft-retry.ts';
import { type AgentLimits, draftKey, type DraftState, type Ending } from '../../../src/core/drafts.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { mayTell } from '../../../src/core/rules/draft-say.ts';
import { agent, proc, World } from '../world.ts';

const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };
const [lead, dev, other] = [agent('lead'), agent('dev'), agent('other')];

const begin = (world: World, who: Who, one: Who, limits: Partial<AgentLimits> = {}, running = 8) =>
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
    ...{ limits: { ...DEFAULT_LIMITS, ...limits }, bounds: { ...DEFAULT_BOUNDS, running }, drafter: proc(1) },
  });
const ENDING: Ending = {
  ...{ status: 'completed', reason: 'done', exit_code: 0, signal: null, last_output: 'Bye.', result: null },
  ...{ needs: { questions: ['Which?'], denials: [] }, api_error: null, worktree: null },
  usage: { turns: 2, cost_usd: 0.5, tools: { Read: 1 } },
};
const end = (world: World, who: Who, more: Partial<Ending> = {}) =>
  world.run({ type: 'draft', phase: 'exit', who, ...ENDING, ...more });
const say = (world: World, who: Who, to: Who, id: string, running = 8) =>
  world.run({
    ...{ type: 'draft', phase: 'say', who, id: to.id, said: { id, text: `text ${id}` } },
    ...{ bounds: { ...DEFAULT_BOUNDS, running }, supervisor: proc(2) },
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

describe('an agent that is over, where every place is taken', () => {
  const next = (world: World) => world.run({ type: 'draft', phase: 'next', who: person, starter: proc(3) });

  it('is queued with what is said to it, and goes on in its turn with all of that', () => {
    const world = new World();
    begin(world, person, dev, {}, 1);
    end(world, dev);
    begin(world, person, other, {}, 1);
    expect(say(world, person, dev, 'one', 1)).toMatchObject({ refused: null, goes_on: { status: 'queued' } });
    expect(say(world, person, dev, 'two', 1)).toMatchObject({ refused: null, draft: { status: 'queued' } });
    expect(next(world).draft).toBeNull();
    end(world, other);
    expect(next(world).draft).toMatchObject({
      ...{ id: dev.id, status: 'starting', dispatch: 2, supervisor: proc(3) },
      ...{ queued: { is_claimed: true }, usage: ENDING.usage, result: null },
      unheard: [
        { id: 'one', is_given: true },
        { id: 'two', is_given: true },
      ],
    });
    expect(next(world).draft).toBeNull();
  });

  it('has its place back where whoever took it up died before its supervisor began', () => {
    const world = new World();
    begin(world, person, dev);
    end(world, dev);
    const { starts } = say(world, person, dev, 'one').goes_on?.queued ?? { starts: 0 };
    expect(world.run({ type: 'draft', phase: 'requeue', who: dev, starts }).refused).toBeNull();
    expect(next(world).draft).toMatchObject({ dispatch: 2, unheard: [{ id: 'one' }], supervisor: proc(3) });
    // The supervisor that was started first arrives late.
    const late = { type: 'draft', phase: 'supervise', who: dev, supervisor: proc(2), starts } as const;
    expect(world.run(late).refused).toMatchObject({ why: 'ended' });
  });

  it('does not count the time in which it was queued', () => {
    const world = new World();
    begin(world, person, dev, {}, 1);
    end(world, dev);
    const { ran_ms } = stateOf(world, dev);
    begin(world, person, other, {}, 1);
    say(world, person, dev, 'one', 1);
    world.pass(7_200_000);
    world.run({ type: 'draft', phase: 'kill', who: person, id: dev.id, reason: 'x' });
    expect(stateOf(world, dev)).toMatchObject({ status: 'killed', ran_ms });
    end(world, other);
    expect(say(world, person, dev, 'two', 1).refused).toBeNull();
  });

  it('goes on in the place that it has lent, at the end of its turn and after an API that failed', () => {
    for (const how of [
      { may_go_on: 'at_once' },
      {
        ...({ may_go_on: 'at_once', status: 'failed' } as const),
        api_error: { status: 529, kind: 'overloaded_error', attempts: 3, is_transient: true },
      },
    ] as Partial<Ending>[]) {
      const world = new World();
      begin(world, person, lead, {}, 1);
      world.run({ type: 'draft', phase: 'lend', who: lead, until_mono_ms: world.mono_ms + 1_000 });
      expect(begin(world, lead, dev, {}, 1).draft).toMatchObject({ status: 'starting' });
      say(world, person, lead, 'one', 1);
      expect(end(world, lead, how).goes_on).toMatchObject({ status: 'starting', dispatch: 2 });
    }
  });
});

describe('a place that is lent', () => {
  it('is taken again by the lead whose model has answered since, and not by one whose turn is over', () => {
    const world = new World();
    const progress = (turned_mono_ms: number | null) =>
      world.run({
        ...{ type: 'draft', phase: 'progress', who: lead, last_output: '', doing: null, heard_wall_ms: 0 },
        ...{ usage: { turns: 1, cost_usd: 0, tools: {} }, turned_mono_ms },
      });
    begin(world, person, lead, {}, 1);
    const since_mono_ms = world.mono_ms;
    const lend = () =>
      world.run({
        type: 'draft',
        phase: 'lend',
        who: lead,
        until_mono_ms: world.mono_ms + 60_000,
        since_mono_ms,
      });
    lend();
    // Its supervisor reports slightly late the answer that made the call.
    progress(world.mono_ms + 1_000);
    expect(begin(world, lead, dev, {}, 1).draft).toMatchObject({ status: 'starting' });
    end(world, dev);
    world.pass(20_000);
    lend();
    progress(world.mono_ms);
    expect(begin(world, person, other, {}, 1).draft).toMatchObject({ status: 'queued' });
    progress(null);
    expect(world.run({ type: 'draft', phase: 'next', who: person, starter: proc(3) }).draft).toMatchObject({
      id: other.id,
    });
  });
});

describe('what was not heard at an end', () => {
  it('waits in the queue for whoever starts it, where its supervisor is gone', () => {
    const world = new World();
    begin(world, person, dev);
    say(world, person, dev, 'one');
    expect(end(world, dev, { may_go_on: 'queued' }).goes_on).toMatchObject({ status: 'queued', dispatch: 2 });
  });

  it('begins another run in the same transaction, once', () => {
    const world = new World();
    begin(world, person, dev);
    say(world, person, dev, 'one');
    say(world, person, dev, 'two');
    expect(end(world, dev, { heard: ['one'], may_go_on: 'at_once' }).goes_on).toMatchObject({
      dispatch: 2,
      unheard: [{ id: 'two' }],
    });
    expect(end(world, dev, { may_go_on: 'at_once' }).goes_on).toBeUndefined();
    expect(stateOf(world, dev)).toMatchObject({ status: 'completed', unheard: [{ id: 'two' }] });
  });

  it('stays on record where nobody looks after the agent, or where it failed', () => {
    for (const how of [{}, { may_go_on: 'at_once', status: 'failed' }] as const) {
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
  it('is tried again five times in a row, after longer and longer waits, an hour at most', () => {
    const waits: number[] = [];
    let retry = retryOf(failed(5, null));
    for (; retry !== null; retry = retryOf(failed(5, retry))) waits.push(retry.wait_ms);
    expect(waits).toEqual([30_000, 120_000, 480_000, 1_920_000, 3_600_000]);
  });
  it('keeps its place meanwhile: nobody is sent into the same API for it', () => {
    const world = new World();
    begin(world, person, dev, {}, 1);
    const api_error = { status: 529, kind: 'overloaded_error', attempts: 3, is_transient: true };
    const again = end(world, dev, { status: 'failed', api_error, may_go_on: 'at_once' }).goes_on;
    expect(again).toMatchObject({ status: 'starting', retry: { count: 1 } });
    expect(begin(world, person, other, {}, 1).draft).toMatchObject({ status: 'queued' });
    const next = { type: 'draft', phase: 'next', who: person, starter: proc(3) } as const;
    expect(world.run(next).draft).toBeNull();
    end(world, dev, { status: 'killed' });
    expect(world.run(next).draft).toMatchObject({ id: other.id, status: 'starting' });
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
