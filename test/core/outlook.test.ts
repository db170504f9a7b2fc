/** What an agent that wants a file is told about its release, and what its holder is working on. */
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/core/report.ts';
import { agent, denialTypes, file, H1, World } from './world.ts';

const a = agent('a');
const b = agent('b');

const denialIn = (world: World) => {
  const verdict = world.begin(b, 'x', `w${world.lsn}`, file(H1));
  if (verdict.verdict !== 'denied') throw new Error('not denied');
  return verdict.denial;
};
const left_ms = (world: World): number => {
  const before_ms = world.wall_ms;
  return Date.parse(denialIn(world).details['expires_at'] as string) - before_ms;
};

describe('of a holder that is silent', () => {
  it('it is said for how long, and when the file goes: whoever asks then gets it, and not before', () => {
    const world = new World();
    world.lock(a, 'x');
    world.pass(69_999);
    const { message, details } = denialIn(world);
    expect(message).toBe('Locked for Bash too; silent for 70 s, yields in 110 s.');
    world.pass(Date.parse(details['expires_at'] as string) - world.wall_ms - 2);
    expect(world.lock(b, 'x')[0]?.acquired).toBe(false);
    expect(world.pass(1).lock(b, 'x')[0]?.acquired).toBe(true);
  });

  it('with a short ttl the file goes with that', () => {
    const world = new World();
    world.run({
      type: 'lock.acquire',
      who: a,
      paths: ['x'],
      mode: 'exclusive',
      ttl_ms: 30_000,
      all: false,
      wait_until_mono_ms: null,
    });
    expect(left_ms(world)).toBeLessThanOrEqual(30_000);
  });
});

describe('of a wall clock that was set meanwhile', () => {
  it.each([3_600_000, -3_600_000])(
    'by %d ms: the end is the same time from now for its holder and for who wants it',
    (jump_ms) => {
      const world = new World();
      const [first] = world.lock(a, 'x');
      const left = Date.parse(first?.expires_at ?? '') - world.wall_ms;
      world.pass(5_000);
      world.wall_ms += jump_ms;
      const [again] = world.lock(a, 'x');
      expect(Date.parse(again?.expires_at ?? '') - world.wall_ms).toBe(left - 5_001);
      expect(left_ms(world)).toBeGreaterThan(0);
      expect(left_ms(world)).toBeLessThanOrEqual(left);
    },
  );
});

describe('of a holder at work', () => {
  it('in a call it is said in which, since when, and nothing of silence', () => {
    const world = new World();
    world.lock(a, 'x');
    const { mono_ms } = world;
    const call = { id: 'c1', tool: 'Bash', since_mono_ms: mono_ms, until_mono_ms: mono_ms + 660_000 };
    world.run({ type: 'call.begin', who: a, call });
    world.pass(300_000);
    expect(denialIn(world).message).toBe('Locked for Bash too; at work in Bash for 5 min.');
    expect(left_ms(world)).toBeGreaterThan(500_000);
  });

  it('that writes it at this moment', () => {
    const world = new World();
    world.lock(a, 'x');
    world.begin(a, 'x', 'w1', file(H1));
    expect(denialIn(world).message).toBe('Locked for Bash too; being written.');
  });

  it('with a background command, which keeps its files to the ttl', () => {
    const world = new World();
    world.lock(a, 'x');
    world.run({ type: 'background', who: a, started: ['t1'], finished: [] });
    expect(denialIn(world).message).toBe('Locked for Bash too; waits for a background command.');
    expect(left_ms(world)).toBeGreaterThan(800_000);
  });

  it('in a call that begins a subagent of which nothing is heard: it is silent', () => {
    const world = new World();
    world.lock(a, 'x');
    const call = { id: 'c1', tool: 'Agent', since_mono_ms: world.mono_ms, until_mono_ms: null };
    world.run({ type: 'call.begin', who: a, call });
    world.pass(60_000);
    expect(denialIn(world).message).toBe('Locked for Bash too; at work in Agent for 60 s.');
    world.pass(60_000);
    expect(denialIn(world).message).toMatch(/^Locked for Bash too; silent for 60 s, yields in 11\d s\.$/);
  });

  it('in a call that lasts beyond all dates: others are refused and told of it all the same', () => {
    const world = new World();
    world.lock(a, 'x');
    const { mono_ms } = world;
    const call = { id: 'c1', tool: 'Bash', since_mono_ms: mono_ms, until_mono_ms: 1e16 };
    world.run({ type: 'call.begin', who: a, call });
    expect(denialTypes(world.begin(b, 'x', 'w1', file(H1)))).toContain('LOCKED_BY_OTHER');
    expect(world.look(statusOf).leases).toMatchObject([{ path: 'x', holder: a.id }]);
  });

  it('in a call of a tool with control characters in its name, which show', () => {
    const world = new World();
    world.lock(a, 'x');
    const { mono_ms } = world;
    const call = { id: 'c1', tool: 'a\u001b[2Jb', since_mono_ms: mono_ms, until_mono_ms: mono_ms + 9_000 };
    world.run({ type: 'call.begin', who: a, call });
    expect(world.look(statusOf).leases[0]?.holder_state).toBe('at work in a\\x1b[2Jb for 0 s');
  });
});

describe('when a file goes', () => {
  it('is said on the clock of whoever asks, which may have been set since the lease began', () => {
    const world = new World();
    world.lock(a, 'x');
    world.wall_ms += 3_600_000;
    expect(left_ms(world)).toBe(180_000 - 1);
  });
});
