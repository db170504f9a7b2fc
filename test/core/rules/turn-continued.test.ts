/** What a person types while the agent works belongs to the turn in progress. */
import { describe, expect, it } from 'vitest';
import { agent, file, H1, missing, POLICY, proc, subagent, World } from '../world.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { OpenCall } from '../../../src/core/types.ts';

const a = agent('a', { proc: proc(1) });
const b = agent('b');
const prompt = (world: World, who: Who = a) => world.run({ type: 'turn.start', who, may_continue: true });
const gets = (world: World, path = 'x') => world.lock(b, path)[0]?.acquired;

const begin = (world: World, call: Pick<OpenCall, 'until_mono_ms'> & Partial<OpenCall>) =>
  world.run({
    type: 'call.begin',
    who: a,
    call: { id: 't', tool: 'Bash', since_mono_ms: world.mono_ms, ...call },
  });

describe('a message in mid-turn', () => {
  it('keeps turn, leases, the open write, denials and what is waited for', () => {
    const world = new World();
    prompt(world);
    world.lock(a, 'x');
    world.lock(b, 'y');
    world.lock(a, 'y');
    world.begin(a, 'z', 'op0', file(H1));
    world.begin(a, 'x', 'op', missing);
    const before = world.agent(a);
    expect(before).toMatchObject({ op: { id: 'op' }, denials: 1 });
    expect(prompt(world.pass(60_000))).toMatchObject({ is_new: false });
    expect(world.agent(a)).toMatchObject({
      turn: before?.turn,
      epoch: before?.epoch,
      denials: 1,
      op: { id: 'op' },
      active_mono_ms: world.mono_ms - 1,
    });
    expect(world.wait(a).edges).toMatchObject([{ path: 'y', kind: 'wanted' }]);
    expect(world.records.at(-1)).toMatchObject({ type: 'turn', phase: 'continue', turn: before?.turn });
    expect(gets(world)).toBe(false);
  });

  it('counts as one as long as an event may have come within the idle time, which is not always on record', () => {
    const slack_ms = POLICY.idle_ms / 10;
    for (const [silent_ms, is_new] of [
      [POLICY.idle_ms + slack_ms - 10, false],
      [POLICY.idle_ms + slack_ms, true],
    ] as const) {
      const world = new World();
      prompt(world);
      world.lock(a, 'x');
      world.pass(silent_ms);
      expect(prompt(world).is_new, String(silent_ms)).toBe(is_new);
      expect(gets(world)).toBe(is_new);
    }
  });

  it('counts as one while a call is open, and not when that call must have ended long ago', () => {
    for (const [lasts_ms, is_new] of [
      [10 * POLICY.idle_ms, false],
      [POLICY.idle_ms, true],
    ] as const) {
      const world = new World();
      prompt(world);
      begin(world, { until_mono_ms: world.mono_ms + lasts_ms });
      world.pass(5 * POLICY.idle_ms);
      expect(prompt(world).is_new, String(lasts_ms)).toBe(is_new);
    }
  });

  it('counts as one while a subagent works for the agent', () => {
    for (const works of [true, false]) {
      const world = new World();
      prompt(world);
      begin(world, { tool: 'Agent', until_mono_ms: null });
      if (works) prompt(world, subagent(a, 's'));
      world.pass(4 * POLICY.idle_ms);
      expect(prompt(world).is_new, String(works)).toBe(!works);
    }
  });
});

describe('a new turn begins with', () => {
  it.each<[string, (world: World) => Who]>([
    ['the first prompt', () => a],
    [
      'the prompt after the end of a turn',
      (world) => {
        prompt(world);
        world.run({ type: 'turn.end', who: a, running: [], grace_ms: 3_000 });
        return a;
      },
    ],
    [
      'the prompt after an end that a lock command put on record',
      (world) => {
        prompt(world);
        world.run({ type: 'turn.end', who: a, running: [], grace_ms: 3_000 });
        world.pass(3_000).lock(a, 'z');
        return a;
      },
    ],
    [
      'the first prompt of another process on the session',
      (world) => {
        prompt(world);
        return { ...a, proc: proc(2) };
      },
    ],
    [
      'the first prompt after leaving',
      (world) => {
        prompt(world);
        world.run({ type: 'agent.leave', who: a, reason: 'x' });
        return a;
      },
    ],
    [
      'the first prompt after the session began anew in the same process',
      (world) => {
        prompt(world);
        world.run({ type: 'agent.present', who: a, begins: true });
        return a;
      },
    ],
    [
      'the start of a subagent that was heard of before',
      (world) => {
        const child = subagent(a, 's');
        prompt(world, child);
        return child;
      },
    ],
  ])('%s', (_, prepare) => {
    const world = new World();
    const who = prepare(world);
    const turn = world.agent(who)?.turn ?? 1;
    expect(prompt(world, who)).toMatchObject({ is_new: true, agent: { turn: turn + 1 } });
  });

  it('every prompt of a client that does not say when a turn ends', () => {
    const world = new World();
    for (const turn of [2, 3])
      expect(world.run({ type: 'turn.start', who: a })).toMatchObject({ is_new: true, agent: { turn } });
  });

  it('a compaction does not end one', () => {
    const world = new World();
    prompt(world);
    world.run({ type: 'agent.present', who: a, begins: false });
    expect(prompt(world).is_new).toBe(false);
  });
});
