/** Finding who may have reserved a path by the places where patterns begin, compared with ranging over everything. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import { GLOBS } from '../../../src/core/keys.ts';
import type { Json, Key, View } from '../../../src/core/ledger.ts';
import { parseGlob } from '../../../src/core/glob/parse.ts';
import { matchesGlob } from '../../../src/core/glob/match.ts';
import { intersects } from '../../../src/core/glob/intersect.ts';
import { reservedBy, reserversOver } from '../../../src/core/rules/overlap.ts';
import {
  asReserved,
  asReservedIndex,
  heldBy,
  reservationsOn,
  type OwnedReservation,
} from '../../../src/core/rules/reserved.ts';
import { changesOver } from '../../../src/core/states.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { randomOf } from '../deadlock/histories.ts';
import { expectSame } from '../same.ts';
import { agent, proc, World } from '../world.ts';
import { got, reserve } from './stage.ts';

const HISTORIES = Number(process.env['GUARD_TEST_RUNS'] ?? 15);
const EVENTS = 25;
const SCOPES = ['', '//wt/'];
const NAMES = ['a', 'b', 'ab', 'c:d', '.e'];
const PARTS = [...NAMES, ...NAMES, '*', '**', 'a*', '[ab]', '{a,b}', 'x/y/z/u/v/w/p/q/r'];

type Random = (below: number) => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
const joined = (random: Random, parts: readonly string[]): string =>
  Array.from({ length: 1 + random(4) }, () => pick(random, parts)).join('/');
const patternOf = (random: Random): string => joined(random, PARTS) + (random(5) === 0 ? '/' : '');

/** All reservations, from the states alone. */
const everything = ({ states }: World): OwnedReservation[] =>
  [...states.keys()]
    .filter((key) => key.startsWith(GLOBS) && !['globs:', 'globs:*'].includes(key))
    .flatMap((key) =>
      asReserved(states.get(key)).held.map((one) => ({ ...one, agent: key.slice(GLOBS.length) })),
    );

/** How guard 0.1 found the agents in the way of a path: it knows `globs:` and the keys below it, but no places. */
function seenByOlder({ states, facts }: World, scope: string, rel: string): Set<string> {
  const begins = [`${scope}${rel.split('/')[0] ?? ''}`, `${scope}*`];
  const agents = Object.entries(asReservedIndex(states.get(GLOBS)).agents)
    .filter(([, where]) => where.some((place) => begins.includes(place)))
    .map(([id]) => id);
  const covers = (one: { scope: string; pattern: string; until_mono_ms: number }): boolean =>
    one.scope === scope && facts.now.mono_ms < one.until_mono_ms && matchesGlob(parseGlob(one.pattern), rel);
  return new Set(agents.filter((id) => asReserved(states.get(GLOBS + id)).held.some(covers)));
}

interface Cast {
  readonly world: World;
  readonly random: Random;
  readonly agents: readonly Who[];
}

function act({ world, random, agents }: Cast): void {
  const who = pick(random, agents);
  const what = random(10);
  if (what < 6) {
    const patterns = Array.from({ length: 1 + random(3) }, () => patternOf(random));
    const mode = random(2) === 0 ? 'shared' : 'exclusive';
    reserve(world, who, patterns, {
      mode,
      scope: pick(random, SCOPES),
      ttl_ms: pick(random, [60_000, 900_000]),
    });
  } else if (what < 8) {
    const ids = everything(world).filter((one) => one.agent === who.id && random(2) === 0);
    world.run({ type: 'unreserve', who, ids: random(3) === 0 ? null : ids.map(({ id }) => id) });
  } else if (what === 8) world.run({ type: 'agent.leave', who, reason: 'over' });
  else world.pass(pick(random, [1_000, 50_000]));
}

const castOf = (seed: number, size: number): Cast => ({
  world: new World(),
  random: randomOf(seed),
  agents: Array.from({ length: size }, (_, n) => agent(`n${n}`, { proc: proc(n + 1) })),
});

/** For one path and one pattern, the index finds the same as a look at everything. */
function compare({ world, random }: Cast, at: string): number {
  const all = everything(world);
  return world.look((view, facts) => {
    const changes = changesOver(view);
    const scope = pick(random, SCOPES);
    const rel = joined(random, random(6) === 0 ? ['x/y/z/u/v/w/p/q/r', 'a'] : NAMES);
    const live = reservedBy(changes, [...new Set(all.map(({ agent: id }) => id))], facts);
    const on = live.filter((one) => one.scope === scope && matchesGlob(parseGlob(one.pattern), rel));
    const ids = (from: readonly OwnedReservation[]): string[] => from.map(({ id }) => id);
    expectSame(ids(reservationsOn(changes, scope + rel, facts)), ids(on), () => `${at}, ${scope}${rel}`);
    const glob = parseGlob(patternOf(random));
    const meets = (one: OwnedReservation): boolean =>
      one.scope === scope && intersects(parseGlob(one.pattern), glob);
    const met = reservedBy(changes, reserversOver(changes, scope, [glob]), facts).filter(meets);
    expectSame(ids(met), ids(live.filter(meets)), () => `${at}, ${scope}${glob.text}`);
    return on.length + met.length;
  });
}

describe(`where reservations begin, over ${HISTORIES} random histories`, () => {
  it.each([5, 40])(
    'leads to all that cover a path or meet a glob, of %i agents',
    (size) => {
      let found = 0;
      for (let seed = 0; seed < HISTORIES; seed++) {
        const cast = castOf(seed, size);
        for (let n = 0; n < EVENTS; n++) {
          act(cast);
          found += compare(cast, `seed ${seed}, event ${n}`);
        }
        expect(cast.world.indexed).toBe(true);
      }
      expect(found).toBeGreaterThan(HISTORIES);
    },
    240_000,
  );

  it('is made whole by the next reservation after an older guard wrote, and nothing is overlooked until then', () => {
    const seen = { older: 0, again: 0, found: 0 };
    for (let seed = 0; seed < HISTORIES; seed++) {
      const cast = castOf(seed, 6);
      for (let n = 0; n < EVENTS; n++) {
        cast.world.isOlder = cast.random(4) === 0;
        act(cast);
        if (cast.world.isOlder) seen.older++;
        cast.world.isOlder = false;
        seen.found += compare(cast, `seed ${seed}, event ${n}`);
        if (cast.world.indexed !== false || cast.random(3) > 0) continue;
        reserve(cast.world, pick(cast.random, cast.agents), `again/${n}`);
        if (cast.world.indexed as boolean) seen.again++;
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(HISTORIES / 2);
  }, 240_000);
});

describe('guard 0.1 on the same ledger', () => {
  it.each([0, 40])(
    'is kept from every path that others reserved, with %i agents elsewhere',
    (others) => {
      const seen = { blocked: 0, unlisted: 0 };
      for (let seed = 0; seed < HISTORIES / 5; seed++) {
        const cast = castOf(seed, 6);
        const { world, random } = cast;
        for (let n = 0; n < others; n++) reserve(world, agent(`other${n}`), `other/${n}/**`);
        for (let n = 0; n < EVENTS * 4; n++) {
          act(cast);
          const [scope, rel] = [pick(random, SCOPES), joined(random, NAMES)];
          const older = seenByOlder(world, scope, rel);
          const now = world.look((view, facts) => reservationsOn(changesOver(view), scope + rel, facts));
          for (const { agent: id } of now) {
            expect(older.has(id) || older.has('*'), `seed ${seed}, event ${n}, ${scope}${rel}`).toBe(true);
            if (!older.has(id)) seen.unlisted++;
            seen.blocked++;
          }
        }
      }
      expect(seen.blocked).toBeGreaterThan(HISTORIES);
      expect(seen.unlisted > 0).toBe(others > 0);
    },
    240_000,
  );
});

/** 500 agents that reserve 20 places each. */
function crowd(): World {
  const world = new World();
  for (let n = 0; n < 500; n++) {
    world.checksPlaces = n === 499;
    const patterns = Array.from({ length: 20 }, (_, at) => `src/package-${at}/module-${n}/**`);
    expect(got(reserve(world, agent(`n${n}`), patterns))).not.toContain(false);
  }
  return world;
}

describe('among 500 agents with 10,000 reservations', () => {
  const world = crowd();
  const wish = {
    type: 'reserve',
    who: agent('new'),
    scope: '',
    mode: 'exclusive',
    reason: 'refactoring',
    ttl_ms: 900_000,
    all: false,
    dry: true,
  } as const;
  /** The keys and ranges that are read. */
  const readFor = (use: (view: View) => unknown): { keys: Key[]; ranges: string[] } => {
    const [keys, ranges] = [new Set<Key>(), new Set<string>()];
    world.look((view) =>
      use({
        ...view,
        get: (key): Json | undefined => (keys.add(key), view.get(key)),
        range: (below, since, most) => (ranges.add(below), view.range(below, since, most)),
      }),
    );
    return { keys: [...keys], ranges: [...ranges] };
  };
  const reading = (pattern: string): ReturnType<typeof readFor> =>
    readFor((view) => decide<'reserve'>(view, { ...wish, patterns: [pattern] }, world.facts));

  it('a reservation looks at those that it can meet, and at no agent but their holders', () => {
    const { keys, ranges } = reading('src/package-7/module-33/*.ts');
    expect(keys.filter((key) => key.startsWith('agent:'))).toEqual(['agent:claude-new', 'agent:claude-n33']);
    expect(keys.length).toBeLessThan(20);
    expect(ranges).toEqual([]);
  });

  it('one elsewhere looks at nobody', () => {
    const { keys } = reading('docs/**');
    expect(keys.filter((key) => key.startsWith('agent:'))).toEqual(['agent:claude-new']);
    expect(keys.length).toBeLessThan(12);
  });

  it('one of a single file looks at no list at all', () => {
    expect(reading('docs/one.md').ranges).toEqual([]);
  });

  it('a lock looks at the names on the way to its file', () => {
    const { keys } = readFor((view) =>
      reservationsOn(changesOver(view), 'src/package-7/module-33/x.ts', world.facts),
    );
    expect(keys).toEqual([
      'begins:',
      'begins:src',
      'begins:src/package-7',
      'begins:src/package-7/module-33',
      'globs:claude-n33',
      'agent:claude-n33',
      // For how long its holder's silence may last.
      'scope:',
    ]);
  });

  it('what one grant writes does not depend on the others', () => {
    const bytes = (of: World): number => {
      reserve(of, agent('late'), 'src/package-3/late/**');
      return JSON.stringify(of.records.at(-1)).length;
    };
    expect(bytes(crowdWithOneMore(world))).toBeLessThan(bytes(new World()) * 1.5);
  });

  it('`globs:` has room for 32 and says that there are more', () => {
    expect(Object.keys(asReservedIndex(world.states.get(GLOBS)).agents)).toHaveLength(33);
    expect(world.look((view) => heldBy(changesOver(view), '*'))).toMatchObject([
      { scope: '', pattern: '**', mode: 'exclusive', reason: expect.stringContaining('Update it') as string },
    ]);
    expect(JSON.stringify(world.states.get(GLOBS)).length).toBeLessThan(2_500);
  });

  it('which ends with the last of those that it does not list', () => {
    world.pass(26 * 3_600_000);
    reserve(world, agent('after'), 'docs/**');
    expect(Object.keys(asReservedIndex(world.states.get(GLOBS)).agents)).toEqual(['claude-after']);
    expect(world.states.has('globs:*')).toBe(false);
  });
});

/** Shares the states of the other world and records changes of its own. */
function crowdWithOneMore(world: World): World {
  const other = new World();
  for (const [key, state] of world.states) other.states.set(key, state);
  other.lsn = world.lsn;
  return other;
}
