/** Every kind of circle that has its own rule, by name; the rules alone, without any engine. */
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/core/report.ts';
import { viewOf } from '../../../src/core/fold.ts';
import type { AcquireResult } from '../../../src/core/rules/acquire.ts';
import type { Who } from '../../../src/core/rules/agent.ts';
import type { Policy } from '../../../src/core/types.ts';
import { agent, file, H1, proc, seen, subagent, World } from '../world.ts';

const [a, b, c, d] = [1, 2, 3, 4].map((n) => agent('abcd'.charAt(n - 1), { proc: proc(n) })) as [
  Who,
  Who,
  Who,
  Who,
];

interface Wish {
  readonly mode?: 'shared' | 'exclusive';
  readonly all?: boolean;
  readonly for_ms?: number;
}

function wait(
  world: World,
  who: Who,
  paths: string | readonly string[],
  wish: Wish = {},
): readonly AcquireResult[] {
  return world.run({
    type: 'lock.acquire',
    who,
    paths: [paths].flat(),
    mode: wish.mode ?? 'exclusive',
    ttl_ms: null,
    all: wish.all ?? false,
    wait_until_mono_ms: world.mono_ms + (wish.for_ms ?? 20_000),
  });
}
const share = (world: World, who: Who, path: string) =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode: 'shared',
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: null,
  });

const found = (world: World) =>
  world.records
    .filter(({ type }) => type === 'deadlock')
    .map((record) => [
      record['victim'],
      (record['cycle'] as unknown as { from: string }[]).map(({ from }) => from),
    ]);
const kinds = (world: World) => statusOf(viewOf(world.states), world.facts).cycles.map(({ kind }) => kind);
const errors = (results: readonly AcquireResult[]) => results.map(({ error }) => error);

function world(policy: Partial<Policy> = {}): World {
  const made = new World();
  made.policy = { ...made.policy, ...policy };
  return made;
}

/** Each holds the file of its own name; in order of joining. */
function holding(...agents: readonly Who[]): World {
  const made = world();
  agents.forEach((who, n) => made.lock(who, 'xyz'.charAt(n)));
  return made;
}

describe('a deadlock', () => {
  it('of two is found in the transaction that closes it; the youngest is told at once', () => {
    const at = holding(a, b);
    wait(at, a, 'y');
    expect(found(at)).toEqual([]);
    expect(errors(wait(at, b, 'x'))).toEqual(['DEADLOCK']);
    expect(found(at)).toEqual([[b.id, [a.id, b.id]]]);
    expect(at.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wanted' }]);
    expect(at.path('x').queue).toEqual([]);
  });

  it('that an older agent closes leaves it waiting, and tells the youngest at its next look', () => {
    const at = holding(a, b);
    wait(at, b, 'x');
    const [mine] = wait(at, a, 'y');
    expect(mine).toMatchObject({ acquired: false, deadlock: { victim: b.id, release: ['y'] } });
    expect(mine?.error).toBeUndefined();
    expect(at.wait(a).edges).toMatchObject([{ path: 'y', kind: 'wait' }]);
    expect(errors(wait(at, b, 'x'))).toEqual(['DEADLOCK']);
    expect(found(at)).toHaveLength(1);
  });

  it('of three, and of fifty, is found', () => {
    const at = holding(a, b, c);
    wait(at, a, 'y');
    wait(at, b, 'z');
    expect(errors(wait(at, c, 'x'))).toEqual(['DEADLOCK']);
    const ring = world();
    const many = Array.from({ length: 50 }, (_, n) => agent(`n${String(n).padStart(2, '0')}`));
    many.forEach((who, n) => ring.lock(who, `f${n}`));
    many.forEach((who, n) => wait(ring, who, `f${(n + 1) % 50}`));
    expect(found(ring)).toMatchObject([[many[49]?.id, { length: 50 }]]);
  });

  it('of an agent that waits for several files at once is found for each of them', () => {
    const at = holding(a, b, c);
    wait(at, b, 'x');
    wait(at, c, 'x');
    wait(at, a, ['y', 'z']);
    expect(
      found(at)
        .map(([victim]) => victim)
        .sort(),
    ).toEqual([b.id, c.id]);
  });

  it('that a grant closes is found: a subagent takes over what somebody waits for whom it waits for', () => {
    const at = holding(a, b);
    const sub = subagent(a, 's1');
    wait(at, b, 'x');
    wait(at, sub, 'y');
    expect(found(at)).toEqual([]);
    expect(at.lock(sub, 'x')[0]?.acquired).toBe(true);
    expect(found(at)).toEqual([[sub.id, [b.id, sub.id].sort()]]);
    expect(errors(wait(at, sub, 'y'))).toEqual(['DEADLOCK']);
  });

  it('of a shared holder that wants the file alone, twice, is one: neither can go on', () => {
    const at = world();
    share(at, a, 'x');
    share(at, b, 'x');
    wait(at, a, 'x');
    expect(errors(wait(at, b, 'x'))).toEqual(['DEADLOCK']);
  });

  it('is none where one holder wants more and others only queue behind it', () => {
    const at = world();
    share(at, a, 'x');
    wait(at, b, 'x');
    const [mine] = wait(at, a, 'x');
    expect(mine?.acquired).toBe(true);
    expect(found(at)).toEqual([]);
  });

  it('among shared holders counts every one of them', () => {
    const at = world();
    share(at, a, 'x');
    share(at, b, 'x');
    at.lock(c, 'y');
    wait(at, b, 'y');
    expect(errors(wait(at, c, 'x'))).toEqual(['DEADLOCK']);
    expect(found(at)).toEqual([[c.id, [b.id, c.id]]]);
  });

  it('that only places in a queue close is solved by letting the later one pass, without a victim', () => {
    const at = world();
    at.lock(a, 'q');
    at.lock(d, 'p');
    wait(at, b, ['p', 'q'], { all: true });
    wait(at, a, 'p');
    expect(found(at)).toEqual([]);
    expect(at.records.filter((record) => record['passes'] !== undefined)).toMatchObject([
      { type: 'wait', agent: a.id, path: 'p', passes: b.id },
    ]);
    at.run({ type: 'lock.release', who: d, paths: ['p'] });
    expect(wait(at, b, ['p', 'q'], { all: true }).map(({ acquired }) => acquired)).toEqual([false, false]);
    expect(wait(at, a, 'p')[0]?.acquired).toBe(true);
    at.run({ type: 'lock.release', who: a, paths: ['p', 'q'] });
    expect(wait(at, b, ['p', 'q'], { all: true }).map(({ acquired }) => acquired)).toEqual([true, true]);
  });

  it('needs nobody to wait for itself', () => {
    const at = world();
    at.lock(a, 'x');
    expect(wait(at, a, 'x')[0]?.acquired).toBe(true);
    share(at, b, 'y');
    expect(wait(at, b, 'y')[0]?.acquired).toBe(true);
    expect(found(at)).toEqual([]);
  });
});

describe('what is no deadlock', () => {
  it('a wait that timed out earlier: possible, and nobody is a victim', () => {
    const at = holding(a, b);
    wait(at, a, 'y');
    at.run({ type: 'lock.unwait', who: a, paths: ['y'], cause: 'timeout' });
    wait(at, b, 'x');
    expect([found(at), kinds(at)]).toEqual([[], ['possible']]);
  });

  it('refused tries whose agents moved on: possible, never a victim', () => {
    const at = holding(a, b);
    at.lock(a, 'y');
    at.lock(b, 'x');
    expect([found(at), kinds(at)]).toEqual([[], ['possible']]);
    at.run({ type: 'turn.end', who: a, running: [] });
    expect(kinds(at)).toEqual([]);
  });

  it('a dead agent in the circle', () => {
    const at = holding(a, b);
    wait(at, a, 'y');
    at.dead.add(1);
    expect(wait(at, b, 'x')[0]?.acquired).toBe(true);
    expect(found(at)).toEqual([]);
  });

  it('an edge that has expired', () => {
    const at = holding(a, b);
    wait(at, a, 'y', { for_ms: 5_000 });
    at.pass(6_000);
    wait(at, b, 'x');
    expect([found(at), kinds(at)]).toEqual([[], []]);
  });
});

describe('subagents', () => {
  const [one, two] = [subagent(a, 's1'), subagent(a, 's2')];

  it('do not queue behind others for what their parent holds', () => {
    const at = world();
    at.lock(a, 'x');
    wait(at, b, 'x');
    expect(at.lock(one, 'x')[0]?.acquired).toBe(true);
    at.run({ type: 'lock.release', who: one, paths: ['x'] });
    expect(at.lock(c, 'x')[0]?.acquired).toBe(false);
    expect(wait(at, b, 'x')[0]?.acquired).toBe(true);
  });

  it('of one session that wait for each other are a deadlock like any other', () => {
    const at = holding(one, two);
    wait(at, one, 'y');
    expect(errors(wait(at, two, 'x'))).toEqual(['DEADLOCK']);
  });

  it('that want what their parent has take it over: delegating does not deadlock', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(one, 'y');
    wait(at, a, 'y');
    expect(wait(at, one, 'x')[0]?.acquired).toBe(true);
    expect(found(at)).toEqual([]);
  });

  it('that wait while their parent writes wait for the end of the write only', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(one, 'y');
    at.begin(a, 'x', 'op', file(H1), seen(H1));
    wait(at, one, 'x');
    wait(at, a, 'y');
    expect(found(at)).toEqual([]);
    at.end(a, 'x', 'op', H1);
    at.run({ type: 'op.end', who: a, ops: null });
    expect(wait(at, one, 'x')[0]?.acquired).toBe(true);
  });
});

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

describe('a write that takes its lease by itself', () => {
  it('closes circles too', () => {
    const at = world({ enforcement: 'auto' });
    at.lock(a, 'x');
    at.lock(c, 'z');
    wait(at, b, 'x');
    at.lock(b, 'w');
    wait(at, a, 'y2');
    at.begin(b, 'y', 'op', file(H1), seen(H1));
    wait(at, a, 'y');
    expect(found(at)).toEqual([[b.id, [a.id, b.id]]]);
  });
});
