/** Cycles closed by reservations: what the victim is asked to release, and what is taken from it. */
import { describe, expect, it } from 'vitest';
import { releaseLine } from '../../../src/core/deadlock-words.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { Policy } from '../../../src/core/types.ts';
import { idOf, reserve } from '../reservations/stage.ts';
import { file, H1, seen, type World } from '../world.ts';
import { a, b, errors, found, wait, world } from './stage.ts';

/** `a` reserves x/** and `b` reserves y/**; then each waits for a file of the other. */
function circle(policy: Partial<Policy> = {}, prepare: (at: World) => void = () => undefined) {
  const at = world(policy);
  const ids = [reserve(at, a, 'x/**'), reserve(at, b, 'y/**')].map(idOf) as [string, string];
  prepare(at);
  wait(at, a, 'y/1');
  return { at, ids, told: wait(at, b, 'x/1') };
}
const unreserve = (at: World, who: Who, id: string) => at.run({ type: 'unreserve', who, ids: [id] });

describe('a circle of reservations', () => {
  it('is a deadlock; the victim is told to give its reservation back, and that ends it', () => {
    const { at, ids, told } = circle();
    expect(found(at)).toMatchObject([[b.id, expect.any(Array)]]);
    const [{ deadlock } = {}] = told;
    expect(deadlock).toMatchObject({ victim: b.id, release: ['y/1'], reservations: [ids[1]], leases: [] });
    expect(deadlock && releaseLine(deadlock, 'guard', String)).toBe(`guard unreserve ${ids[1]}`);
    unreserve(at, b, ids[1]);
    expect(wait(at, a, 'y/1')[0]?.acquired).toBe(true);
    expect(errors(wait(at, b, 'x/1'))).toEqual([undefined]);
  });

  it('names the lock as well where the victim has both', () => {
    const { ids, told } = circle({}, (at) => at.lock(b, 'y/1'));
    const [{ deadlock } = {}] = told;
    expect(deadlock && releaseLine(deadlock, 'guard', String)).toBe(
      `guard lock release y/1 && guard unreserve ${ids[1]}`,
    );
  });

  it('resolve release: the reservation in it ends at once as a whole, others stay, and the other gets its file', () => {
    let other = '';
    const { at, ids } = circle({ resolve: 'release' }, (it) => {
      other = idOf(reserve(it, b, 'z/**'));
    });
    expect(at.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: b.id, reservations: [ids[1]], patterns: ['y/**'], to: a.id, cause: 'deadlock' },
    ]);
    expect(wait(at, a, 'y/1')[0]?.acquired).toBe(true);
    expect(errors(wait(at, b, 'x/1'))).toEqual([undefined]);
    expect(reserve(at, a, 'z/2')[0]?.conflicts).toMatchObject([{ reservation_id: other, agent_id: b.id }]);
  });

  it('resolve release: ends lease and reservation where the victim has both', () => {
    const { at } = circle({ resolve: 'release' }, (it) => it.lock(b, 'y/1'));
    expect(wait(at, a, 'y/1')[0]?.acquired).toBe(true);
  });

  it('is told once, and denies the victim its writes to a file of the circle until it lets go', () => {
    const { at, ids } = circle();
    const begin = () => at.begin(b, 'y/1', 'op', file(H1), seen(H1));
    expect(begin()).toMatchObject({ denial: { error_type: 'DEADLOCK' } });
    unreserve(at, b, ids[1]);
    expect(JSON.stringify(begin())).not.toContain('"DEADLOCK"');
  });
});
