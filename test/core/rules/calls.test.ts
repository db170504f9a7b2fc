/** A tool call that may outlast the idle limit counts as activity of its agent until the call's own limit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goesAt } from '../../../src/core/yielding.ts';
import { changesOver } from '../../../src/core/states.ts';
import type { OpenCall } from '../../../src/core/types.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, file, H1, POLICY, proc, subagent, World } from '../world.ts';

const a = agent('a', { proc: proc(7) });
const b = agent('b');
const minutes = (n: number): number => n * 60_000;
const seconds = (n: number): number => n * 1000;

const open = (world: World, who: Who, id: string, lasts_ms: number | null, more: Partial<OpenCall> = {}) =>
  world.run({
    type: 'call.begin',
    who,
    call: {
      id,
      tool: lasts_ms === null ? 'Agent' : 'Bash',
      since_mono_ms: world.mono_ms,
      until_mono_ms: lasts_ms === null ? null : world.mono_ms + lasts_ms,
      ...more,
    },
  });
const end = (world: World, who: Who, ...ops: string[]) => world.run({ type: 'op.end', who, ops });
const gets = (world: World, who: Who = b): boolean | undefined => world.lock(who, 'x')[0]?.acquired;
const openIds = (world: World, who: Who) => (world.agent(who)?.calls ?? []).map(({ id }) => id);
const sign = (world: World, who: Who) => world.run({ type: 'agent.present', who });

function holding(policy: Partial<typeof POLICY> = {}): World {
  const world = new World();
  world.policy = { ...POLICY, ...policy };
  world.lock(a, 'x');
  return world;
}

describe('a foreground command', () => {
  it('of 22 s keeps a lease with a ttl of 10 s and an idle limit of 5 s; it goes 5 s after the end', () => {
    const world = holding({ ttl_ms: seconds(10), idle_ms: seconds(5) });
    open(world, a, 'c1', minutes(3));
    for (let n = 0; n < 11; n++) expect(gets(world.pass(seconds(2)))).toBe(false);
    end(world, a, 'c1');
    expect(gets(world.pass(seconds(4)))).toBe(false);
    expect(gets(world.pass(seconds(2)))).toBe(true);
  });

  it('that never ends keeps it to its limit, and for as long as a silence may last', () => {
    const world = holding();
    open(world, a, 'c1', minutes(11));
    expect(gets(world.pass(minutes(13.9)))).toBe(false);
    expect(gets(world.pass(minutes(0.2)))).toBe(true);
  });

  it('ends with its client, at once', () => {
    const world = holding();
    open(world, a, 'c1', minutes(11));
    world.dead.add(7);
    expect(gets(world)).toBe(true);
  });

  it('of a client whose process is not known ends at its limit, too', () => {
    const world = new World();
    const old = agent('old');
    world.lock(old, 'x');
    open(world, old, 'c1', minutes(11));
    expect(gets(world.pass(minutes(13)))).toBe(false);
    expect(gets(world.pass(minutes(2)))).toBe(true);
  });

  it('side by side with others of its batch does not end them, whichever is over first', () => {
    const world = holding();
    for (const id of ['c1', 'c2', 'c3']) open(world, a, id, minutes(5));
    end(world, a, 'c2');
    expect(openIds(world, a)).toEqual(['c1', 'c3']);
    end(world, a, 'c1', 'c2', 'c3');
    expect(world.agent(a)?.calls).toBeUndefined();
  });

  it('told twice (settings and plugin) is one call, and its end is on record once', () => {
    const world = holding();
    open(world, a, 'c1', minutes(5));
    open(world, a, 'c1', minutes(5));
    expect(openIds(world, a)).toEqual(['c1']);
    end(world, a, 'c1');
    end(world, a, 'c1');
    expect(world.records.filter(({ type, phase }) => type === 'call' && phase === 'end')).toHaveLength(1);
  });
});

describe('a call whose end nobody tells is over with', () => {
  const endings: Record<string, (world: World) => unknown> = {
    'the end of the turn': (world) => world.run({ type: 'turn.end', who: a, running: null }),
    'the next prompt': (world) => world.run({ type: 'turn.start', who: a }),
    'the end of the session': (world) => world.run({ type: 'agent.leave', who: a, reason: 'x' }),
    'the next write, which runs alone': (world) => world.begin(a, 'x', 'w1', file(H1)),
    'the next life of its session': (world) =>
      world.run({ type: 'agent.present', who: { ...a, proc: proc(8) } }),
  };
  it.each(Object.keys(endings))('%s', (name) => {
    const world = holding();
    open(world, a, 'c1', minutes(60));
    endings[name]?.(world);
    expect(world.agent(a)?.calls).toBeUndefined();
  });
});

describe('a session that waits for a subagent', () => {
  const child = subagent(a, 's1');
  const started = (): World => {
    const world = holding();
    open(world, a, 'agent-1', null);
    world.run({ type: 'turn.start', who: child });
    return world;
  };

  it('keeps its leases as long as the subagent lives, however little is heard of either', () => {
    expect(gets(started().pass(minutes(14)))).toBe(false);
  });

  it('of which nothing is heard for a quarter of an hour: that one counts as gone', () => {
    expect(gets(started().pass(minutes(19)))).toBe(true);
  });

  it('keeps them for the idle limit after the subagent stopped', () => {
    const world = started().pass(minutes(14));
    world.run({ type: 'agent.leave', who: child, reason: 'subagent_stop' });
    expect(gets(world.pass(minutes(2)))).toBe(false);
    expect(gets(world.pass(minutes(2)))).toBe(true);
  });

  it('that does not start, waits for a minute', () => {
    const world = holding();
    open(world, a, 'agent-1', null);
    expect(gets(world.pass(minutes(3.9)))).toBe(false);
    expect(gets(world.pass(minutes(0.2)))).toBe(true);
  });

  it('in a long command of its own, waits as long as that', () => {
    const world = started();
    open(world, child, 'c1', minutes(60));
    expect(gets(world.pass(minutes(61)))).toBe(false);
  });

  it('is, in a subagent, told by the others of the session: clients name no nearer parent', () => {
    const world = new World();
    world.run({ type: 'turn.start', who: a });
    world.run({ type: 'turn.start', who: child });
    world.lock(child, 'x');
    open(world, child, 'agent-2', null);
    world.run({ type: 'turn.start', who: subagent(a, 'nested') });
    expect(gets(world.pass(minutes(14)))).toBe(false);
    expect(gets(world.pass(minutes(5)))).toBe(true);
  });

  it('ends with the client they share', () => {
    const world = started();
    world.dead.add(7);
    expect(gets(world)).toBe(true);
  });

  it('drafted by guard, waits for that one', () => {
    const world = holding();
    const drafted = agent('drafted', { proc: proc(9) });
    sign(world, drafted);
    open(world, a, 'await-1', null, { tool: 'mcp__guard-harness__await_agent', awaits: drafted.id });
    expect(gets(world.pass(minutes(14)))).toBe(false);
    world.dead.add(9);
    expect(gets(world)).toBe(true);
  });
});

describe('what a subagent does', () => {
  it('counts as a sign of life of its session, in the background too', () => {
    const world = holding();
    const child = subagent(a, 's1');
    world.run({ type: 'turn.start', who: child });
    for (let n = 0; n < 10; n++) {
      sign(world.pass(minutes(2)), child);
      expect(gets(world)).toBe(false);
    }
    world.run({ type: 'agent.leave', who: child, reason: 'subagent_stop' });
    expect(gets(world.pass(minutes(2)))).toBe(false);
    expect(gets(world.pass(minutes(1.1)))).toBe(true);
  });

  it('counts where its first event is a write, as of clients without SubagentStart', () => {
    const world = holding();
    const child = subagent(a, 's1');
    world.begin(child, 'y', 'w1', file(H1));
    expect(world.agent(a)?.children).toEqual([child.id]);
  });

  it('does not count for a sibling', () => {
    const world = new World();
    const [one, two] = [subagent(a, 's1'), subagent(a, 's2')];
    for (const who of [a, one, two]) world.run({ type: 'turn.start', who });
    world.lock(one, 'x');
    sign(world.pass(minutes(4)), two);
    expect(gets(world)).toBe(true);
  });
});

describe('a lease under an open call', () => {
  it('is never given to anybody before the call’s limit while the process lives', () => {
    const step = fc.record({
      passes_s: fc.integer({ min: 1, max: 400 }),
      what: fc.constantFrom('call', 'end', 'ask', 'sign'),
      lasts_s: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 1200 }),
        (steps, idle_s, ttl_s) => {
          const world = holding({ idle_ms: seconds(idle_s), ttl_ms: seconds(ttl_s) });
          const limits = new Map<string, number>();
          for (const [nth, { passes_s, what, lasts_s }] of steps.entries()) {
            world.pass(seconds(passes_s));
            const { mono_ms } = world;
            const isOpen = [...limits.values()].some((until) => mono_ms < until);
            if (what === 'call') {
              const isGone = world.look((view, facts) => {
                const changes = changesOver(view);
                return changes
                  .path('x')
                  .holds.some((hold) => hold.agent === b.id || goesAt(changes, 'x', hold, facts) <= mono_ms);
              });
              if (isGone) return;
              open(world, a, `c${nth}`, seconds(lasts_s));
              limits.set(`c${nth}`, mono_ms + seconds(lasts_s));
            }
            const [first] = limits.keys();
            if (what === 'end' && first !== undefined) {
              end(world, a, first);
              limits.delete(first);
            }
            if (what === 'sign') sign(world, a);
            if (what === 'ask' && gets(world) === true) {
              expect(isOpen, `given away under an open call at step ${nth}`).toBe(false);
              return;
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
