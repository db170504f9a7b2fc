/** One case for each kind of cycle that has its own rule. */
import { describe, expect, it } from 'vitest';
import { agent, file, H1, seen, subagent } from '../world.ts';
import { a, b, c, d, errors, found, holding, kinds, share, wait, world } from './stage.ts';

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
