/** What a waiter predicts without the ledger, compared with what a look would do, over random histories. */
import { describe, expect, it } from 'vitest';
import { agentKey, pathKey } from '../../../src/core/keys.ts';
import { type Prospect, prospectOf, type WaitFor } from '../../../src/core/rules/prospect.ts';
import type { View } from '../../../src/core/ledger.ts';
import type { Mode, PathState, Ticket } from '../../../src/core/types.ts';
import { act, type Cast, castOf } from '../deadlock/histories.ts';
import { agent, proc, subagent, World } from '../world.ts';

const HISTORIES = Number(process.env['GUARD_PROSPECT_HISTORIES'] ?? 300);
const EVENTS = 22;

/** All states at this moment, without recording which keys are read. */
const everything = (world: World): View => ({
  next: world.lsn,
  get: (key) => world.states.get(key),
  range: () => [],
});

/** The prospect of a waiter that looked when its wait began. */
const prospect = (world: World, wait: WaitFor): Prospect =>
  prospectOf(everything(world), { ...wait, looked_mono_ms: wait.since_mono_ms }, world.facts);

/** The agents waiting now, each for one path, with their live tickets. */
function waitersOf({ world, agents }: Cast): { wait: WaitFor; ticket: Ticket }[] {
  return agents.flatMap((who) => {
    if (who.proc !== null && world.dead.has(who.proc.pid)) return [];
    const { edges } = world.wait(who);
    return edges
      .filter(({ kind, until_mono_ms }) => kind === 'wait' && until_mono_ms > world.mono_ms)
      .flatMap(({ path, mode }) => {
        const { queue } = world.states.get(pathKey(path)) as unknown as PathState;
        const ticket = queue.find((one) => one.agent === who.id);
        const wait = {
          agent: who.id,
          paths: [path],
          mode,
          since_mono_ms: 0,
          until_mono_ms: world.mono_ms + 1,
        };
        return ticket === undefined ? [] : [{ wait, ticket }];
      });
  });
}

/** Tries it on a copy of the world. */
function wouldGet({ world, agents }: Cast, wait: WaitFor): boolean {
  const copy = Object.assign(new World(), {
    ...{ lsn: world.lsn, wall_ms: world.wall_ms, mono_ms: world.mono_ms, policy: world.policy },
    ...{ states: new Map(world.states), records: [], dead: new Set(world.dead) },
  });
  const who = agents.find(({ id }) => id === wait.agent);
  if (who === undefined) throw new Error('nobody');
  const [result] = copy.run({
    ...{ type: 'lock.acquire', who, paths: wait.paths, mode: wait.mode, ttl_ms: null, all: false },
    wait_until_mono_ms: wait.until_mono_ms,
  });
  return result?.acquired === true || result?.error === 'DEADLOCK';
}

describe('the prospect of a waiter', () => {
  it(`misses no grant and no verdict, and calls nobody for nothing (${HISTORIES} random histories)`, () => {
    const seen = { granted: 0, blocked: 0, in_vain: 0 };
    for (let seed = 0; seed < HISTORIES; seed++) {
      const cast = castOf(seed);
      for (let n = 0; n < EVENTS; n++) {
        act(cast);
        for (const { wait } of waitersOf(cast)) {
          const { due } = prospect(cast.world, wait);
          const gets = wouldGet(cast, wait);
          if (gets && !due) expect.fail(`missed: seed ${seed}, event ${n}, ${JSON.stringify(wait)}`);
          if (gets) seen.granted++;
          else if (due) seen.in_vain++;
          else seen.blocked++;
        }
      }
    }
    expect(seen.granted).toBeGreaterThan(HISTORIES / 7);
    expect(seen.blocked).toBeGreaterThan(1.4 * HISTORIES);
    // The only exceptions left are waiters that lost their place and have to take it again.
    expect(seen.in_vain).toBeLessThan(seen.blocked / 10);
  }, 120_000);

  const wait = (world: World, who: ReturnType<typeof agent>, mode: Mode = 'exclusive'): WaitFor => {
    const until_mono_ms = world.mono_ms + 300_000;
    world.run({
      ...{ type: 'lock.acquire', who, paths: ['x'], mode, ttl_ms: null, all: false },
      ...{ wait_until_mono_ms: until_mono_ms, waiter: proc(50) },
    });
    return { agent: who.id, paths: ['x'], mode, since_mono_ms: world.mono_ms, until_mono_ms };
  };
  const due = (world: World, one: WaitFor): boolean => prospect(world, one).due;

  it('of those behind the first does not change with a release; those who can share the file go together', () => {
    const world = new World();
    world.lock(agent('a'), 'x');
    const waits = [
      wait(world, agent('b'), 'shared'),
      wait(world, agent('c'), 'shared'),
      wait(world, agent('d')),
      wait(world, agent('e'), 'shared'),
    ];
    expect(waits.map((one) => due(world, one))).toEqual([false, false, false, false]);
    world.run({ type: 'lock.release', who: agent('a'), paths: ['x'] });
    expect(waits.map((one) => due(world, one))).toEqual([true, true, false, false]);
  });

  it('names the moment at which a lease goes by itself, and at which the place must be renewed', () => {
    const world = new World();
    world.lock(agent('a'), 'x');
    const [b, c] = [wait(world, agent('b')), wait(world, agent('c'))];
    const at = (one: WaitFor): number => prospect(world, one).next_mono_ms;
    expect(at(b) - world.mono_ms).toBeLessThanOrEqual(45_000);
    expect(at(b) - world.mono_ms).toBeGreaterThan(40_000);
    expect(at(c) - world.mono_ms).toBeGreaterThan(40_000);
    world.policy = { ...world.policy, idle_ms: 10_000 };
    expect(at(b) - world.mono_ms).toBeLessThanOrEqual(10_000);
    world.pass(at(b) - world.mono_ms);
    expect([due(world, b), due(world, c)]).toEqual([true, false]);
  });

  it('names the moment at which the holder is known to wait for its subagent, which no record tells', () => {
    const world = new World();
    const a = agent('a');
    world.lock(a, 'x');
    const call = { id: 'toolu_1', tool: 'Agent', since_mono_ms: world.mono_ms, until_mono_ms: null };
    world.run({ type: 'call.begin', who: a, call });
    const b = wait(world, agent('b'));
    expect(prospect(world, b)).toEqual({ due: false, next_mono_ms: call.since_mono_ms + 2_000 });
    world.pass(2_000);
    expect(due(world, b)).toBe(true);
    expect(prospectOf(everything(world), { ...b, looked_mono_ms: world.mono_ms }, world.facts).due).toBe(
      false,
    );
  });

  it('names it also where a subagent that was started by another subagent waits', () => {
    const world = new World();
    const [a, c] = [agent('a'), agent('c')];
    const [kid, nested] = [subagent(a, 'k'), subagent(a, 'n')];
    const begin = (who: typeof a, id: string): number => {
      const call = { id, tool: 'Agent', since_mono_ms: world.mono_ms, until_mono_ms: null };
      world.run({ type: 'call.begin', who, call });
      return call.since_mono_ms + 2_000;
    };
    world.lock(a, 'y');
    world.lock(c, 'x');
    begin(a, 'toolu_1');
    world.run({ type: 'turn.start', who: kid });
    world.pass(60_000);
    const sure = begin(kid, 'toolu_2');
    world.run({ type: 'turn.start', who: nested });
    world.run({
      ...{ type: 'lock.acquire', who: c, paths: ['y'], mode: 'exclusive', ttl_ms: null, all: false },
      ...{ wait_until_mono_ms: world.mono_ms + 300_000, waiter: proc(51) },
    });
    const one = wait(world, nested);
    expect(world.types()).not.toContain('deadlock');
    expect(prospect(world, one)).toEqual({ due: false, next_mono_ms: sure });
    world.pass(2_000);
    expect(due(world, one)).toBe(true);
    wait(world, nested);
    expect(world.types()).toContain('deadlock');
  });

  it('is to look when the agent is not known any more, when it left, and when it was chosen to let go', () => {
    const world = new World();
    world.lock(agent('a'), 'x');
    const b = wait(world, agent('b'));
    expect(due(world, b)).toBe(false);
    const states = new Map(world.states);
    world.states.delete(agentKey(b.agent));
    expect(due(world, b)).toBe(true);
    world.states.clear();
    for (const [key, state] of states) world.states.set(key, state);
    world.run({ type: 'agent.depart', who: agent('b'), paths: [], reservations: [] });
    expect(due(world, b)).toBe(true);
  });
});
