/** The budget of a tree of agents. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { moneyOf, shareOf } from '../../src/core/budget.ts';
import type { AgentLimits, Ending } from '../../src/core/drafts.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { asInbox, inboxKey, messageKey } from '../../src/core/mailbox.ts';
import { agent, proc, World } from './world.ts';

const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };

interface Asked {
  readonly access?: 'full' | 'readonly';
  readonly limits?: Partial<AgentLimits>;
  readonly running?: number;
}

function begin(world: World, who: Who, one: Who, { access = 'full', limits = {}, running = 8 }: Asked) {
  const { draft, refused } = world.run({
    ...{ type: 'draft', phase: 'begin', who, agent: one, role: 'r', category: 'c', access, task: 't' },
    limits: { ...DEFAULT_LIMITS, ...limits },
    bounds: { ...DEFAULT_BOUNDS, running },
    drafter: proc(1),
  });
  return refused ?? (draft?.status === 'queued' ? 'queued' : draft?.share_usd);
}

const ending = (cost_usd: number, more: Partial<Ending> = {}): Ending => ({
  ...{ status: 'completed', reason: 'done', exit_code: 0, signal: null, last_output: 'Bye.' },
  ...{ result: null, worktree: null, needs: null, api_error: null },
  usage: { turns: 2, cost_usd, tools: {} },
  ...more,
});
const end = (world: World, who: Who, cost_usd: number, more: Partial<Ending> = {}) =>
  world.run({ type: 'draft', phase: 'exit', who, ...ending(cost_usd, more) });

const lead = agent('lead');
const [one, two, three] = ['one', 'two', 'three'].map((name) => agent(name)) as [Who, Who, Who];

describe('a tree with a budget', () => {
  it('gives its lead its share first, and each agent an equal part of what is left for those who may come', () => {
    const world = new World();
    expect(begin(world, person, lead, { limits: { tree_cost_usd: 3 }, running: 3 })).toBe(1);
    expect(begin(world, lead, one, { running: 3 })).toBe(1);
    expect(begin(world, lead, two, { running: 3 })).toBe(1);
  });

  it('leaves a part for those whom a lead drafts also where that has the last place', () => {
    const world = new World();
    begin(world, person, three, { access: 'readonly', running: 2 });
    expect(begin(world, person, lead, { limits: { tree_cost_usd: 3 }, running: 2 })).toBe(1.5);
    expect(begin(world, lead, one, { access: 'readonly', running: 2 })).toBe('queued');
    world.run({ type: 'draft', phase: 'lend', who: lead, until_mono_ms: world.mono_ms + 1_000 });
    expect(world.run({ type: 'draft', phase: 'next', who: person, starter: proc(3) }).draft?.share_usd).toBe(
      1.5,
    );
  });

  it('gives what a role may cost where it says so, and never more than is left', () => {
    const world = new World();
    expect(begin(world, person, lead, { limits: { tree_cost_usd: 3, cost_usd: 0.5 } })).toBe(0.5);
    expect(begin(world, lead, one, { limits: { cost_usd: 2 } })).toBe(2);
    expect(begin(world, lead, two, { limits: { cost_usd: 2 } })).toBe(0.5);
  });

  it('queues who would have none, and refuses where nobody is left who could give any back, with how much there is', () => {
    const world = new World();
    begin(world, person, lead, { limits: { tree_cost_usd: 3, cost_usd: 1 } });
    begin(world, lead, one, { limits: { cost_usd: 2 } });
    expect(begin(world, lead, two, {})).toBe('queued');
    world.run({ type: 'draft', phase: 'lend', who: lead, until_mono_ms: world.mono_ms + 1_000 });
    world.run({ type: 'draft', phase: 'lend', who: one, until_mono_ms: world.mono_ms + 1_000 });
    expect(begin(world, lead, three, {})).toEqual({
      ...{ why: 'budget', limit: null },
      money: { tree_usd: 3, spent_usd: 0, reserved_usd: 3, left_usd: 0 },
    });
  });

  it('has again what an agent that ended did not use, and lacks what it used beyond its share', () => {
    const world = new World();
    begin(world, person, lead, { limits: { tree_cost_usd: 3, cost_usd: 1 } });
    begin(world, lead, one, { limits: { cost_usd: 2 } });
    end(world, one, 0.5);
    expect(begin(world, lead, two, { limits: { cost_usd: 2 } })).toBe(1.5);
    end(world, two, 2.5);
    world.run({ type: 'draft', phase: 'lend', who: lead, until_mono_ms: world.mono_ms + 1_000 });
    expect(begin(world, lead, three, {})).toMatchObject({
      money: { spent_usd: 3, reserved_usd: 1, left_usd: 0 },
    });
  });

  it('is all for one that may draft nobody', () => {
    const world = new World();
    expect(begin(world, person, lead, { access: 'readonly', limits: { tree_cost_usd: 3 } })).toBe(3);
  });

  it('never sets more aside than there is, in whatever order agents begin and end', () => {
    const world = new World();
    begin(world, person, lead, { limits: { tree_cost_usd: 1 } });
    const agents = Array.from({ length: 40 }, (_, n) => agent(`n${n}`));
    const running: Who[] = [];
    const of = new Map<string, number>();
    for (const [n, who] of agents.entries()) {
      const cost_usd = [null, 0.05, 0.3][n % 3] ?? null;
      const share = begin(world, lead, who, { access: 'readonly', limits: { cost_usd } });
      if (typeof share === 'number') {
        running.push(who);
        of.set(who.id, share);
      }
      if (n % 2 === 1) {
        const over = running.shift();
        if (over !== undefined) {
          const used = (of.get(over.id) ?? 0) / 4;
          of.set(over.id, used);
          end(world, over, used);
        }
      }
      // The lead's own share: one place of eight.
      const shares = [...of.values()].reduce((sum, usd) => sum + usd, 0.125);
      expect(shares).toBeLessThanOrEqual(1 + 1e-9);
    }
    expect(of.size).toBeGreaterThan(8);
  });

  it('without one leaves each its own', () => {
    const world = new World();
    expect(begin(world, person, lead, {})).toBeNull();
    expect(begin(world, lead, one, { limits: { cost_usd: 2 } })).toBe(2);
    expect(shareOf(moneyOf([], 0), null, 3)).toBeNull();
  });
});

describe('the end of an agent', () => {
  const inbox = (world: World, who: Who) => asInbox(world.states.get(inboxKey(who.id))).heads;

  it('is urgent mail to whoever drafted it', () => {
    const world = new World();
    begin(world, person, lead, {});
    begin(world, lead, one, {});
    const needs = { questions: ['A or B?'], denials: [] };
    end(world, one, 0.1, { needs, result: { summary: 'half', changes: [], issues: [], questions: [] } });
    const [head] = inbox(world, lead);
    expect(head).toMatchObject({ from: one.id, importance: 'urgent', kind: 'message', told: false });
    const message = world.states.get(messageKey(head?.id ?? '')) as { body: string; subject: string };
    expect(message.subject).toBe('agent ended: completed');
    for (const words of [one.id, 'It asks 1 question.', 'half']) expect(message.body).toContain(words);
    // A person's inbox has no reader.
    expect(inbox(world, person)).toEqual([]);
  });

  it('is none to whoever waits for it, or is over itself', () => {
    const world = new World();
    begin(world, person, lead, {});
    begin(world, lead, one, {});
    begin(world, lead, two, {});
    world.run({ type: 'agent.await', who: lead, agent: one.id, phase: 'begin', proc: proc(1) });
    end(world, one, 0);
    expect(inbox(world, lead)).toEqual([]);
    end(world, lead, 0);
    end(world, two, 0);
    expect(inbox(world, lead)).toEqual([]);
  });

  it('is told however much the agent has written before', () => {
    const world = new World();
    begin(world, person, lead, {});
    begin(world, lead, one, {});
    const message = { topic: null, thread_id: null, subject: '', ack_required: false } as const;
    for (let n = 0; n < 40; n++)
      world.run({
        ...{ type: 'message.send', who: one, to: [lead.id] },
        message: { ...message, body: `${n}`, importance: 'normal' },
      });
    end(world, one, 0);
    expect(inbox(world, lead).filter(({ importance }) => importance === 'urgent')).toHaveLength(1);
  });
});
