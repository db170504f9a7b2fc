/** Ends of turns, returns, prompts and locks in any order: never two holders, and no ended lease comes back. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changesOver } from '../../../src/core/states.ts';
import { liveHolds } from '../../../src/core/rules/lease.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, missing, proc, subagent, World } from '../world.ts';

const a = agent('a', { proc: proc(1) });
const AGENTS: readonly Who[] = [a, agent('b', { proc: proc(2) }), agent('c'), subagent(a, 's')];
const PATHS = ['x', 'y'];

type Step = (world: World, who: Who, path: string) => unknown;

/** `lock` and `write` return whether the agent was allowed to. */
const STEPS: Readonly<Record<string, Step>> = {
  lock: (world, who, path) => world.lock(who, path)[0]?.acquired,
  wait: (world, who, path) =>
    world.run({
      type: 'lock.acquire',
      who,
      paths: [path],
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: world.mono_ms + 20_000,
    })[0]?.acquired,
  write: (world, who, path) => world.begin(who, path, `op${world.lsn}`, missing).verdict === 'approved',
  stop: (world, who) => world.run({ type: 'turn.end', who, running: [], grace_ms: 3_000 }),
  stopLong: (world, who) => world.run({ type: 'turn.end', who, running: [], grace_ms: 30_000 }),
  interrupted: (world, who) => world.run({ type: 'turn.end', who, running: null, grace_ms: 3_000 }),
  over: (world, who) => world.run({ type: 'turn.end', who, running: [] }),
  work: (world, who) => world.run({ type: 'agent.present', who, at_work: true }),
  present: (world, who) => world.run({ type: 'agent.present', who }),
  prompt: (world, who) => world.run({ type: 'turn.start', who, may_continue: true }),
  started: (world, who) => world.run({ type: 'background', who, started: ['t'], finished: [] }),
  finished: (world, who) => world.run({ type: 'background', who, started: [], finished: ['t'] }),
  batch: (world, who) => world.run({ type: 'op.end', who, ops: null }),
  release: (world, who, path) => world.run({ type: 'lock.release', who, paths: [path] }),
  // A subagent does nothing more after its session has ended.
  leave: (world, who) => who !== a && world.run({ type: 'agent.leave', who, reason: 'x' }),
};

const SAYS_YES = new Set(['lock', 'wait', 'write']);

const moves = fc.array(
  fc.record({
    step: fc.constantFrom(...Object.keys(STEPS)),
    who: fc.constantFrom(...AGENTS),
    path: fc.constantFrom(...PATHS),
    pass_ms: fc.constantFrom(0, 0, 500, 2_990, 3_000, 10_000, 30_000),
  }),
  { maxLength: 40 },
);

const live = (world: World, path: string) =>
  world.look((view, facts) => liveHolds(changesOver(view), path, facts));

it('never two holders, no lease twice, and a yes is true', () => {
  let gone = 0;
  fc.assert(
    fc.property(moves, (played) => {
      const world = new World();
      const ended = new Set<string>();
      const known = new Map<string, number>();
      for (const { step, who, path, pass_ms } of played) {
        const said = STEPS[step]?.(world, who, path);
        for (const one of PATHS) {
          const holds = live(world, one);
          expect(holds.length, one).toBeLessThanOrEqual(1);
          const [hold] = holds;
          const before = known.get(one);
          if (before !== undefined && hold?.token !== before) ended.add(`${one} ${before}`);
          if (hold === undefined) known.delete(one);
          else {
            expect(ended, `${one} ${hold.token}`).not.toContain(`${one} ${hold.token}`);
            known.set(one, hold.token);
          }
        }
        if (SAYS_YES.has(step) && said === true) expect(live(world, path)[0]?.agent, step).toBe(who.id);
        const over = world.agent(who)?.turn_over;
        world.pass(pass_ms);
        if (over !== undefined && world.mono_ms >= over.gone_mono_ms) gone++;
      }
    }),
    { numRuns: 1_000, seed: 20_261_122 },
  );
  // The situation under test must really have occurred, not just been generated.
  expect(gone).toBeGreaterThan(200);
});
