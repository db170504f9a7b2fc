/** The ledger's rules for drafted agents. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS, exceeded, type LimitedAgent } from '../../src/core/agent-limits.ts';
import { type Access, draftKey, type DraftState, type Ending, sessionAgent } from '../../src/core/drafts.ts';
import { accessOf, gatedTool, toolsFor } from '../../src/core/policy/role.ts';
import { isSlug, slugFor } from '../../src/core/task-slug.ts';
import { isForgotten } from '../../src/core/forget.ts';
import type { Json } from '../../src/core/ledger.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { agent, proc, World } from './world.ts';

const lead = agent('lead');
const dev = agent('dev');
const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };

const begin = (world: World, who: Who, one: Who, access: Access = 'full', bounds = DEFAULT_BOUNDS) =>
  world.run({
    type: 'draft',
    phase: 'begin',
    who,
    agent: one,
    role: 'r',
    category: 'c',
    access,
    task: 't',
    limits: DEFAULT_LIMITS,
    bounds,
    drafter: proc(1),
  });

const ENDING: Ending = {
  status: 'completed',
  reason: 'done',
  exit_code: 0,
  signal: null,
  last_output: 'Bye.',
  result: null,
  needs: null,
  api_error: null,
  usage: { turns: 2, cost_usd: 0.5, tools: { Read: 1 } },
  worktree: null,
};
const stateOf = (world: World, who: Who): DraftState =>
  world.states.get(draftKey(who.id)) as unknown as DraftState;

describe('a draft', () => {
  it('makes an agent of the ledger that knows who drafted it, before its first event', () => {
    const world = new World();
    expect(begin(world, person, lead).draft).toMatchObject({ depth: 1, parent: null, root: lead.id });
    expect(world.agent(lead)).toMatchObject({ live: true, drafted_by: person.id, proc: null });
    expect(begin(world, lead, dev).draft).toMatchObject({ depth: 2, parent: lead.id, root: lead.id });
    expect(world.types()).toEqual(['agent.join', 'draft', 'agent.join', 'draft']);
  });

  it('is refused where it would be too deep, of a role that only looks, or of one that is over', () => {
    const world = new World();
    begin(world, person, lead, 'full');
    const why = (who: Who, bounds = DEFAULT_BOUNDS) => begin(world, who, agent('x'), 'full', bounds).refused;
    expect(why(lead, { depth: 1, running: 8 })).toEqual({ why: 'depth', limit: 1 });
    begin(world, lead, dev, 'readonly');
    expect(why(dev)?.why).toBe('access');
    const subagent: Who = { ...dev, id: `${dev.id}/sub`, kind: 'subagent', parent: dev.id };
    expect(why(subagent)?.why).toBe('access');
    world.run({ type: 'draft', phase: 'exit', who: lead, ...ENDING });
    expect(why(lead)?.why).toBe('ended');
  });

  it('ends once, and its locks and waits with it', () => {
    const world = new World();
    begin(world, person, dev);
    world.lock(dev, 'x');
    expect(world.lock(lead, 'x')[0]).toMatchObject({ acquired: false, holder: dev.id });
    const end = { type: 'draft', phase: 'exit', who: dev } as const;
    expect(world.run({ ...end, ...ENDING }).refused).toBeNull();
    expect(world.run({ ...end, ...ENDING, status: 'killed' }).refused?.why).toBe('ended');
    expect(stateOf(world, dev)).toMatchObject({ status: 'completed', last_output: 'Bye.' });
    expect(world.lock(lead, 'x')[0]).toMatchObject({ acquired: true });
  });

  it('keeps the first reason why somebody ended it; a role that only looks may not', () => {
    const world = new World();
    begin(world, person, lead);
    begin(world, lead, dev, 'readonly');
    const kill = (who: Who, reason: string) =>
      world.run({ type: 'draft', phase: 'kill', who, id: lead.id, reason });
    expect(kill(dev, 'no').refused?.why).toBe('access');
    expect(kill(person, 'first').draft?.kill).toEqual({ by: person.id, reason: 'first' });
    expect(kill(person, 'second').draft?.kill?.reason).toBe('first');
  });

  it('is of nobody where nobody was drafted', () => {
    const world = new World();
    const told = world.run({ type: 'draft', phase: 'kill', who: person, id: 'claude-none', reason: 'x' });
    expect(told).toEqual({ draft: null, refused: { why: 'unknown', limit: null } });
    expect(world.records).toEqual([]);
  });
});

describe('compaction', () => {
  it('forgets an agent a month after its end, and none that runs', () => {
    const world = new World();
    begin(world, person, dev);
    const state = (): Json => world.states.get(draftKey(dev.id)) ?? null;
    const in_days = (days: number) => ({
      now: { ...world.facts.now, wall_ms: world.wall_ms + days * 86_400_000 },
      see: () => undefined,
    });
    expect(isForgotten(draftKey(dev.id), state(), in_days(365))).toBe(false);
    world.run({ type: 'draft', phase: 'exit', who: dev, ...ENDING });
    expect(isForgotten(draftKey(dev.id), state(), in_days(29))).toBe(false);
    expect(isForgotten(draftKey(dev.id), state(), in_days(31))).toBe(true);
  });

  it('forgets none whose worktree is there, until that was merged, discarded or removed', () => {
    const world = new World();
    begin(world, person, dev);
    const in_a_year = {
      now: { ...world.facts.now, wall_ms: world.wall_ms + 365 * 86_400_000 },
      see: () => undefined,
    };
    const is_forgotten = () =>
      isForgotten(draftKey(dev.id), world.states.get(draftKey(dev.id)) ?? null, in_a_year);
    const made = { dir: '/r/w', branch: 'guard/w', base: 'abc', changed: ['a'], commits: 0, kept: true };
    world.run({ type: 'draft', phase: 'exit', who: dev, ...ENDING, worktree: made });
    expect(is_forgotten()).toBe(false);
    const settled = { how: 'gone', by: 'guard', commit: 'abc' } as const;
    world.run({ type: 'draft', phase: 'settle', who: dev, id: dev.id, settled, written: [] });
    expect(is_forgotten()).toBe(true);
  });
});

describe('limits', () => {
  const seen: LimitedAgent = {
    usage: { turns: 5, cost_usd: 1, tools: {} },
    tree: { turns: 5, cost_usd: 1 },
    running_ms: 1_000,
    silent_ms: 1_000,
    is_waiting: false,
    repeats: 1,
  };
  it.each([
    [{}, null],
    [{ wall_ms: 999 }, 'timeout'],
    [{ turns: 4 }, 'budget'],
    [{ turns: 5 }, null],
    [{ cost_usd: 0.5 }, 'budget'],
    [{ tree_turns: 4 }, 'budget'],
    [{ tree_cost_usd: 0.9 }, 'budget'],
    [{ repeats: 0 }, 'failed'],
    [{ stall_ms: 999 }, 'timeout'],
  ])('%j: %s', (limits, status) => {
    const all = { ...DEFAULT_LIMITS, ...limits };
    expect(exceeded(seen, all, all)?.status ?? null).toBe(status);
  });

  it('silence while it waits for a lock or an agent is none', () => {
    const all = { ...DEFAULT_LIMITS, stall_ms: 999 };
    expect(exceeded({ ...seen, is_waiting: true }, all, all)).toBeNull();
  });
});

describe('names', () => {
  it('make a slug of whatever is to be done, and another one where it is taken', () => {
    expect(slugFor('Fix the Ümlaut bug, please: now or never!', () => false)).toBe(
      'fix-the-u-mlaut-bug-please',
    );
    expect(slugFor('../../etc/passwd', () => false)).toBe('etc-passwd');
    expect(slugFor('日本', () => false)).toBe('task');
    expect(slugFor('Fix it', (slug) => slug === 'fix-it')).toBe('fix-it-2');
  });

  it.each(['a', 'a-b', 'a1'])('%j is a slug', (text) => expect(isSlug(text)).toBe(true));
  it.each(['', '.', '..', 'a/b', 'A', '-a', 'a-', 'nul', 'a'.repeat(65), 'a\n'])('%j is none', (text) =>
    expect(isSlug(text)).toBe(false),
  );

  it('tell the category that may call everything from the others', () => {
    expect(accessOf('conversational', ['conversational'])).toBe('full');
    expect(accessOf('worker', ['conversational'])).toBe('readonly');
    expect(toolsFor('full')).toHaveLength(7);
    expect(toolsFor('readonly')).toEqual(['list_agents', 'list_tasks', 'get_task_context']);
    expect(gatedTool('mcp__wrong-server__draft_agent')).toBe('draft_agent');
    expect(gatedTool('mcp__guard-harness__list_agents')).toBeNull();
    expect(gatedTool('draft_agent')).toBeNull();
  });

  it('lead from a subagent, or a second process, to the session that was drafted', () => {
    expect(['claude-a/b', 'claude-a~2', 'claude-a~2/b', 'me@host:tty'].map(sessionAgent)).toEqual([
      'claude-a',
      'claude-a',
      'claude-a',
      'me@host:tty',
    ]);
  });
});
