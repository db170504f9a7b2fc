/** Which agent is chosen as the victim, and what happens to it. */
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/core/types.ts';
import { file, H1, seen, type World } from '../world.ts';
import { a, b, errors, found, holding, wait } from './stage.ts';

describe('the victim', () => {
  const between = (policy: Partial<Policy>, prepare: (at: World) => void = () => undefined): World => {
    const at = holding(a, b);
    at.policy = { ...at.policy, ...policy };
    prepare(at);
    wait(at, a, 'y');
    wait(at, b, 'x');
    return at;
  };
  const victims = (at: World) => found(at).map(([victim]) => victim);

  it.each<[Policy['victim'], (at: World) => void, string]>([
    ['youngest', () => undefined, b.id],
    ['fewest_leases', (at) => at.lock(b, 'more'), a.id],
    [
      'least_work',
      (at) => {
        at.begin(b, 'y', 'op', file(H1), seen(H1));
        at.end(b, 'y', 'op', H1);
      },
      a.id,
    ],
  ])('by policy %s', (victim, prepare, expected) => {
    expect(victims(between({ victim }, prepare))).toEqual([expected]);
  });

  it('of equals is the youngest, and by name where even that is equal', () => {
    expect(victims(between({ victim: 'fewest_leases' }))).toEqual([b.id]);
  });

  it('resolve notify: keeps what it holds until it lets go, and is told again if it waits again', () => {
    const at = between({});
    expect(at.path('y').holds).toHaveLength(1);
    expect(errors(wait(at, b, 'x'))).toEqual(['DEADLOCK']);
    at.run({ type: 'lock.release', who: b, paths: ['y'] });
    expect(wait(at, a, 'y')[0]?.acquired).toBe(true);
    expect(errors(wait(at, b, 'x'))).toEqual([undefined]);
    expect(at.wait(b).verdicts ?? []).toEqual([]);
  });

  it('resolve release: its leases in the circle end at once, and the other gets them', () => {
    const at = between({ resolve: 'release' });
    expect(at.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: b.id, path: 'y', to: a.id, cause: 'deadlock' },
    ]);
    expect(wait(at, a, 'y')[0]?.acquired).toBe(true);
    expect(errors(wait(at, b, 'x'))).toEqual([undefined]);
  });

  it('resolve release: a victim that waited already is told once what it lost, though the circle is over', () => {
    const at = holding(a, b);
    at.policy = { ...at.policy, resolve: 'release' };
    wait(at, b, 'x');
    wait(at, a, 'y');
    expect(wait(at, a, 'y')[0]?.acquired).toBe(true);
    expect(wait(at, b, 'x')).toMatchObject([
      { error: 'DEADLOCK', deadlock: { victim: b.id, resolve: 'release', release: ['y'] } },
    ]);
    expect(errors(wait(at, b, 'x'))).toEqual([undefined]);
  });

  it('resolve release: nothing is taken from under a write', () => {
    const at = between({ resolve: 'release' }, (it) => it.begin(b, 'y', 'op', file(H1), seen(H1)));
    expect(at.records.find(({ type }) => type === 'deadlock')).toMatchObject({
      resolve: 'notify',
      note: 'not released: the victim is writing',
    });
    expect(at.path('y').holds).toHaveLength(1);
  });

  it('resolve cancel: only what guard started is ended; any other is told, with a note', () => {
    const at = between({ resolve: 'cancel' });
    expect(at.records.find(({ type }) => type === 'deadlock')).toMatchObject({
      victim: b.id,
      resolve: 'notify',
      note: 'not cancelled: guard did not start the victim',
    });
    const drafted = between({ resolve: 'cancel' }, (it) =>
      it.states.set(`agent:${b.id}`, { ...it.agent(b), drafted_by: a.id } as never),
    );
    expect(drafted.records.find(({ type }) => type === 'deadlock')).toMatchObject({ resolve: 'cancel' });
  });
});
