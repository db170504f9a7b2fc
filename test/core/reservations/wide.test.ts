/** A wide glob among many reservations is refused without reading all of them. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import { viewOf } from '../../../src/core/fold.ts';
import { CONFLICTS_SHOWN } from '../../../src/core/limits.ts';
import type { ReserveEvent } from '../../../src/core/rules/reserve-event.ts';
import { agent, proc, World } from '../world.ts';
import { b, got, reserve } from './stage.ts';

const AGENTS = 100;
const EACH = 3;

/** More places than are searched one by one. */
function crowded(mode: ReserveEvent['mode'] = 'exclusive'): World {
  const world = new World();
  world.checksPlaces = false;
  for (let n = 0; n < AGENTS; n++) {
    const who = agent(`o${n}`, { proc: proc(100 + n) });
    const globs = Array.from({ length: EACH }, (_, nth) => `src/part${n % 10}/m${n}/k${nth}/*.md`);
    expect(got(reserve(world, who, globs, { mode }))).toEqual(globs.map(() => true));
  }
  return world;
}

const WISH: ReserveEvent = {
  type: 'reserve',
  who: b,
  scope: '',
  patterns: [],
  mode: 'exclusive',
  reason: 'x',
  ttl_ms: 60_000,
  all: false,
  dry: true,
};

/** What checking these globs answers, and how many agents' reservations it reads. */
function checked(world: World, patterns: readonly string[], wish: Partial<ReserveEvent> = {}) {
  const view = { ...viewOf(world.states), indexed: true };
  const read = new Set<string>();
  const counting = {
    ...view,
    get(key: string) {
      if (key.startsWith('globs:')) read.add(key);
      return view.get(key);
    },
  };
  const { result } = decide<'reserve'>(counting, { ...WISH, patterns, ...wish }, world.facts);
  return { result, read: read.size };
}

describe('a wide glob among hundreds of reservations', () => {
  it('is refused by as many conflicts as are shown, in the order of their grants', () => {
    const { result, read } = checked(crowded(), ['**/*.md']);
    const [{ conflicts, has_more } = { conflicts: [], has_more: undefined }] = result;
    expect(conflicts.length).toBeGreaterThanOrEqual(CONFLICTS_SHOWN);
    expect(has_more).toBe(true);
    const granted = conflicts.map(({ reservation_id }) => Number(reservation_id?.slice(2)));
    expect(granted).toEqual(granted.toSorted((one, other) => one - other));
    expect(read).toBeLessThan(2 + CONFLICTS_SHOWN);
  });

  it('is read in full if it may be granted, alone or beside one that may not', () => {
    const world = crowded();
    const [free] = checked(world, ['**/*.ts']).result;
    expect(free).toMatchObject({ conflicts: [] });
    const [taken, other] = checked(world, ['**/*.md', '**/*.ts']).result;
    expect(taken?.conflicts).toHaveLength(AGENTS * EACH);
    expect(other?.conflicts).toEqual([]);
    expect(got(reserve(world, b, '**/*.ts'))).toEqual([true]);
  });

  it('is not refused for shared reservations if it is shared, nor for those of its own session', () => {
    expect(checked(crowded('shared'), ['**/*.md'], { mode: 'shared' }).result[0]?.conflicts).toEqual([]);
    const own = agent('o7', { proc: proc(107) });
    const [first] = checked(crowded(), ['src/part7/m7/k0/*.md', '**/*.md'], { who: own }).result;
    expect(first?.conflicts).toEqual([]);
  });

  it('counts only reservations that are still alive', () => {
    const world = crowded();
    for (let n = 0; n < AGENTS; n++) world.dead.add(100 + n);
    expect(checked(world, ['**/*.md']).result[0]?.conflicts).toEqual([]);
  });
});
