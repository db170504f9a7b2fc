/** What one agent holds by its index keys, compared with a scan of every path, also while an older guard writes too. */
import { describe, expect, it } from 'vitest';
import { leasesIn, leasesNow } from '../../../src/core/leases.ts';
import { pathKey, PATHS } from '../../../src/core/keys.ts';
import { pathsHeldBy } from '../../../src/core/rules/held-paths.ts';
import { asPathState, changesOver } from '../../../src/core/states.ts';
import { act, castOf } from '../deadlock/histories.ts';
import { expectSame } from '../same.ts';
import { agent, World } from '../world.ts';

const HISTORIES = Number(process.env['GUARD_HELD_HISTORIES'] ?? 250);
const EVENTS = 30;

const a = agent('a', { proc: null });
const b = agent('b', { proc: null });

/** From the states of the paths alone. */
function scanned({ states }: World, id: string): string[] {
  const epoch = (states.get(`agent:${id}`) as { epoch?: number } | undefined)?.epoch;
  const held: string[] = [];
  for (const [key, state] of states) {
    if (!key.startsWith('path:')) continue;
    const { holds } = asPathState(state);
    if (holds.some((hold) => hold.agent === id && hold.epoch === (epoch ?? hold.epoch)))
      held.push(key.slice('path:'.length));
  }
  return held.sort();
}

/** What the rules find: the candidates that the path states confirm. */
function found(world: World, id: string, known = scanned(world, id)): readonly string[] {
  return world
    .look((view, facts) => pathsHeldBy(view, changesOver(view), id, facts))
    .filter((one) => known.includes(one));
}

/** Every lease, each path looked at by itself. */
const oneByOne = (world: World) =>
  world.look((view, facts) => view.range(PATHS).flatMap((one) => leasesIn(changesOver(view), [one], facts)));

/** Any rule that looks up what its agent holds. */
const ask = (world: World, who = a) =>
  world.run({ type: 'release.over', who, scope: '', pattern: 'nothing/of/this/name' });

describe(`what an agent holds, over ${HISTORIES} random histories`, () => {
  it('is listed as a scan of every path finds it', () => {
    let [held, together] = [0, 0];
    for (let seed = 0; seed < HISTORIES; seed++) {
      const cast = castOf(seed);
      for (let n = 0; n < EVENTS; n++) {
        act(cast);
        for (const { id } of cast.agents) {
          const all = scanned(cast.world, id);
          held += all.length;
          expectSame(found(cast.world, id, all), all, () => `seed ${seed}, event ${n}, ${id}`);
        }
      }
      const leases = cast.world.look(leasesNow);
      expectSame(leases, oneByOne(cast.world), () => `seed ${seed}, leases`);
      together += leases.length - new Set(leases.map(({ holder, since }) => holder + since)).size;
      expect(cast.world.indexed).toBe(true);
    }
    expect(held).toBeGreaterThan(HISTORIES);
    expect(together).toBeGreaterThan(0);
  }, 240_000);

  it('is found though an older guard writes in between, and listed again once a newer one has asked', () => {
    const seen = { older: 0, again: 0, held: 0 };
    for (let seed = 0; seed < HISTORIES; seed++) {
      const cast = castOf(seed);
      const { world, random, agents } = cast;
      for (let n = 0; n < EVENTS; n++) {
        world.isOlder = random(4) === 0;
        act(cast);
        if (world.isOlder) seen.older++;
        world.isOlder = false;
        const who = agents[random(agents.length)];
        if (world.indexed === false && who !== undefined && random(3) === 0) {
          ask(world, who);
          expect(world.indexed).toBe(true);
          seen.again++;
        }
        for (const { id } of agents) {
          const all = scanned(world, id);
          seen.held += all.length;
          expectSame(found(world, id, all), all, () => `seed ${seed}, event ${n}, ${id}`);
        }
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(HISTORIES);
  }, 240_000);
});

describe('an index that an older guard left behind', () => {
  const behind = (): World => {
    const world = new World();
    world.isOlder = true;
    world.lock(a, 'one', 'two');
    world.lock(b, 'three');
    world.isOlder = false;
    return world;
  };
  const listed = ({ states }: World): string[] =>
    [...states.keys()].filter((key) => key.startsWith('held/')).sort();

  it('goes on record whole with the first thing that a newer one writes after looking', () => {
    const world = behind();
    expect(listed(world)).toEqual([]);
    ask(world);
    expect(world.types()).toContain('ledger.index');
    expect(listed(world)).toEqual([
      'held/1.8/claude-a:one',
      'held/1.8/claude-a:two',
      'held/1.8/claude-b:three',
    ]);
  });

  it('goes on record with the end of all locks of one agent', () => {
    const world = behind();
    world.run({ type: 'lock.release_all', who: a, held: ['one', 'two'] });
    expect(world.indexed).toBe(true);
    expect(found(world, b.id)).toEqual(['three']);
    expect(found(world, a.id)).toEqual([]);
  });

  it('is written once, and by nobody who only looks', () => {
    const world = behind();
    found(world, a.id);
    expect(world.types()).not.toContain('ledger.index');
    ask(world);
    ask(world, b);
    expect(world.types().filter((type) => type === 'ledger.index')).toHaveLength(1);
  });

  it('still lists what an older one let go of: the state of the path decides', () => {
    const world = new World();
    world.lock(a, 'one', 'two');
    world.isOlder = true;
    world.run({ type: 'lock.release', who: a, paths: ['one'] });
    world.isOlder = false;
    ask(world);
    expect(world.look((view, facts) => pathsHeldBy(view, changesOver(view), a.id, facts))).toEqual([
      'one',
      'two',
    ]);
    expect(world.path('one').holds).toEqual([]);
    expect(found(world, a.id)).toEqual(['two']);
  });

  it('is not made of a view that has some states only', () => {
    const world = behind();
    world.indexed = undefined;
    expect(found(world, a.id)).toEqual(['one', 'two']);
    ask(world);
    expect(world.types()).not.toContain('ledger.index');
  });
});

it('what an agent held before it last let go of everything is not even read', () => {
  const world = new World();
  world.lock(a, 'one', 'two');
  world.run({ type: 'turn.end', who: a, running: [] });
  world.lock(a, 'three');
  const read = new Set<string>();
  world.look((view, facts) =>
    pathsHeldBy(
      { ...view, range: (below) => view.range(below).filter(([key]) => read.add(key).size > 0) },
      changesOver(view),
      a.id,
      facts,
    ),
  );
  expect([...read]).toEqual(['held/2.8/claude-a:three']);
  expect(world.states.has(pathKey('one'))).toBe(true);
});
