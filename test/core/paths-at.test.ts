/** What is found below a place, compared with a look at every path: reservations, commands, many files of git. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGlob } from '../../src/core/glob/parse.ts';
import { pathsAt } from '../../src/core/paths-at.ts';
import type { Area, GitFile } from '../../src/core/rules/command-event.ts';
import { beginningsOf } from '../../src/core/rules/places.ts';
import { matchesIn } from '../../src/core/rules/overlap.ts';
import { command } from './command-world.ts';
import { reserve } from './reservations/stage.ts';
import { agent, proc, World } from './world.ts';

const RUNS = Number(process.env['GUARD_TEST_RUNS'] ?? 150);
const NAMES = ['a', 'b', 'ab', 'a.b', 'A', '.e', 'ü', '😀', 'x\ny', '[', 'c:d'];
const name = fc.constantFrom(...NAMES);
const rel = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const scope = fc.constantFrom('', '', '//wt/', '//wt2/');
const other = fc.constantFrom('srv//a/b', '@git//stash', '@git//refs/heads/a', '/home/a/b');
const path = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(scope, rel).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: other },
);
const part = fc.constantFrom('a', 'b', 'ü', '\\[', 'x\ny', '*', '**', 'a*', '?', '{a,b}', '[ab]', '.', 'A');
const pattern = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([parts, isDir]) => parts.join('/') + (isDir ? '/' : ''))
  .filter((text) => !/^[./]+$/.test(text));

const agents = Array.from({ length: 4 }, (_, n) => agent(`n${n}`, { proc: proc(n + 1) }));
const [me] = agents as [(typeof agents)[0]];
const who = fc.integer({ min: 0, max: 3 }).map((n) => agents[n] as typeof me);

type Act = readonly [
  of: 'lock' | 'release' | 'reserve' | 'leave' | 'turn',
  by: typeof me,
  path: string,
  pattern: string,
];
const act: fc.Arbitrary<Act> = fc.tuple(
  fc.constantFrom('lock', 'lock', 'lock', 'reserve', 'release', 'leave', 'turn'),
  who,
  path,
  pattern,
);

function played(acts: readonly Act[]): World {
  const world = new World();
  for (const [what, by, at, glob] of acts) {
    if (what === 'lock') world.lock(by, at);
    else if (what === 'release') world.run({ type: 'lock.release', who: by, paths: [at] });
    else if (what === 'reserve') reserve(world, by, glob, { scope: at.startsWith('//wt/') ? '//wt/' : '' });
    else if (what === 'leave') world.run({ type: 'agent.leave', who: by, reason: 'over' });
    else world.run({ type: 'turn.end', who: by, running: [] });
  }
  return world;
}

/** The answer is the same with and without ordered path keys. */
function same(made: () => World, ask: (world: World) => unknown): void {
  const [ordered, listed] = [true, false].map((ordersPaths) => {
    const world = made();
    world.ordersPaths = ordersPaths;
    return JSON.stringify([ask(world), world.records.at(-1)]);
  });
  expect(ordered).toBe(listed);
}

const area = (at: string, text: string | null, covered: readonly string[]): Area =>
  text === null
    ? { ...NO_AREA, covers: (one) => covered.includes(one), members: covered, places: covered, glob: null }
    : {
        ...NO_AREA,
        covers: (one) => matchesIn(at, parseGlob(text), one),
        glob: { scope: at, text },
        members: [],
        places: beginningsOf(at, parseGlob(text)).map(({ names }) => at + names.join('/')),
      };
const NO_AREA = { abs: '/repo/area', source: 'rm -rf area', by: 'rm' };

const gitFile = (one: string): GitFile => ({
  path: one,
  abs: `/repo/${one}`,
  on_disk: true,
  loses: 'nothing',
  source: 'git checkout .',
  narrower: () => null,
});

describe(`over ${RUNS} random ledgers`, () => {
  const histories = fc.array(act, { maxLength: 20 });

  test(
    'a reservation, and a check of one, meets what a look at everything meets',
    () =>
      fc.assert(
        fc.property(
          histories,
          fc.array(pattern, { minLength: 1, maxLength: 2 }),
          scope,
          fc.boolean(),
          (acts, patterns, at, dry) =>
            same(
              () => played(acts),
              (world) => reserve(world, me, patterns, { scope: at, dry }),
            ),
        ),
        { numRuns: RUNS },
      ),
    120_000,
  );

  test(
    'a command below a directory, by a pattern or over long lists of files does too',
    () =>
      fc.assert(
        fc.property(
          histories,
          scope,
          fc.option(pattern),
          fc.array(path, { minLength: 1, maxLength: 4 }),
          (acts, at, text, members) =>
            same(
              () => played(acts),
              (world) => command(world, me, 'op', { areas: [area(at, text, members)] }),
            ),
        ),
        { numRuns: RUNS },
      ),
    120_000,
  );

  test(
    'so does a command of git over very many files',
    () =>
      fc.assert(
        fc.property(histories, fc.array(path, { maxLength: 4 }), (acts, paths) => {
          const files = [...paths, ...Array.from({ length: 513 }, (_, n) => `many/${n}`)].map(gitFile);
          same(
            () => played(acts),
            (world) => command(world, me, 'op', { git: files }),
          );
        }),
        { numRuns: RUNS },
      ),
    120_000,
  );

  test('every path at a place is found, in order, and each once', () =>
    fc.assert(
      fc.property(
        fc.array(path),
        fc.array(fc.oneof(path, scope, fc.constant('//')), { minLength: 1, maxLength: 3 }),
        (paths, places) => {
          const world = new World();
          for (const one of paths) world.states.set(`path:${one}`, {});
          const isAt = (one: string): boolean =>
            places.some(
              (place) =>
                one === place || one.startsWith(place === '' || place.endsWith('/') ? place : `${place}/`),
            );
          const found = world.look((view) => pathsAt(view, places, (one) => paths.includes(one)));
          expect(found).toEqual([...new Set(paths)].filter(isAt).sort());
        },
      ),
      { numRuns: RUNS },
    ));
});

test('of more than a thousand of them everything is listed, with the same answer', () => {
  const made = (): World => {
    const world = new World();
    world.lock(agents[1] ?? me, ...Array.from({ length: 1_100 }, (_, n) => `src/${n}`));
    return world;
  };
  expect(made().look((view) => pathsAt(view, ['src'], () => true))).toBeNull();
  expect(made().look((view) => pathsAt(view, ['src'], (one) => one.endsWith('7')))).toHaveLength(110);
  same(made, (world) => reserve(world, me, 'src/**', { dry: true }));
});
