/** What can go wrong with machines that share an engine: they fall silent, reboot or are copied, and processes die. */
import { describe, expect, it } from 'vitest';
import type { Who } from '../../src/core/rules/who.ts';
import { isUp } from '../../src/core/up.ts';
import { pair, pass, TTL_MS } from './fleet.ts';
import { subagent } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a machine that is heard of no more', () => {
  it('keeps what its agents hold until its last sign of life is over, and nothing after that', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    A.run({
      type: 'lock.acquire',
      who: a,
      paths: ['long'],
      mode: 'exclusive',
      ttl_ms: HOUR_MS,
      all: false,
      wait_until_mono_ms: null,
    });
    fleet.pass(TTL_MS - 1);
    expect(B.lock(b, 'f', 'long')).toEqual([false, false]);
    fleet.pass(1);
    expect(B.lock(b, 'f', 'long')).toEqual([true, true]);
  });

  it('keeps a write in flight as long as it is up, however long that lasts, and not longer', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    expect(A.begin(a, 'f')).toMatchObject({ verdict: 'approved' });
    pass(fleet, 4 * HOUR_MS, A, B);
    expect(B.lock(b, 'f')).toEqual([false]);
    pass(fleet, TTL_MS, B);
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  it('does not keep its place in a queue, nor a circle closed', () => {
    const { fleet, A, B, a, b } = pair();
    const C = fleet.machine('m-c');
    C.lock(C.session('c', 1), 'f');
    A.lock(a, 'g');
    A.wait(a, 'f', HOUR_MS);
    for (let n = 0; n < 2 * TTL_MS; n += MINUTE_MS) {
      fleet.pass(MINUTE_MS);
      C.beat();
      C.present(C.session('c', 1));
    }
    expect(B.queue('f')).toEqual([]);
    B.lock(b, 'h');
    expect(C.wait(C.session('c', 1), 'h')).not.toHaveProperty('deadlock');
    expect(C.lock(C.session('c', 1), 'g')).toEqual([true]);
  });

  it('begins another life when it comes back: what was judged dead is not alive again', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'src/f');
    const before = fleet.beats(A)?.epoch;
    pass(fleet, TTL_MS, B);
    // The state of the file itself does not show that it changed hands.
    expect(B.reserve(b, 'src/**', HOUR_MS)[0]?.conflicts).toEqual([]);
    A.beat();
    expect(fleet.beats(A)?.epoch).toBeGreaterThan(before ?? Infinity);
    expect([A.holders('src/f'), B.holders('src/f')]).toEqual([[], []]);
    expect(A.lock(a, 'src/f')).toEqual([false]);
    expect(fleet.agent(a)).toMatchObject({ live: true, machine: { epoch: fleet.beats(A)?.epoch } });
  });

  it('is kept up by whoever acts on it, where its beats fail', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    for (let n = 0; n < 20; n++) {
      fleet.pass(TTL_MS / 4);
      A.present(a);
    }
    expect(B.lock(b, 'f')).toEqual([false]);
    expect(fleet.types()).not.toContain('machine.beat');
    expect(fleet.agent(a)?.epoch).toBe(1);
  });

  it("was asleep: its own clock stood still, the engine's did not", () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    A.sleep(TTL_MS);
    expect(B.lock(b, 'f')).toEqual([true]);
    expect(A.lock(a, 'f')).toEqual([false]);
    expect(A.wait(a, 'f')).toMatchObject({ acquired: false });
    expect(fleet.path('f').queue[0]?.until_mono_ms).toBe(fleet.now.mono_ms + 30_000);
  });
});

describe('a machine that has booted again', () => {
  it('ends what its agents held with its first sign of life, and not before', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f');
    A.begin(a, 'f');
    A.reboot('boot-2');
    fleet.pass(1_000);
    expect(B.lock(b, 'f')).toEqual([false]);
    A.beat();
    expect([A.holders('f'), B.holders('f')]).toEqual([[], []]);
    expect(fleet.agent(a)).toMatchObject({ live: false });
    expect(fleet.records().at(-1)).toMatchObject({ type: 'agent.leave', agent: a.id, reason: 'machine' });
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  it('does so by whatever is done on it first', () => {
    const { A, B, a, b } = pair();
    A.lock(a, 'f');
    A.reboot('boot-2');
    A.present(A.session('other', 1));
    expect(B.lock(b, 'f')).toEqual([true]);
  });

  it('is told from a copy of it, whose boot comes back', () => {
    const { fleet, A, a } = pair();
    const copy = fleet.machine('m-a', { boot: 'boot-of-the-copy' });
    A.lock(a, 'f');
    copy.beat();
    expect(() => A.beat()).toThrow(expect.objectContaining({ code: 'GUARD_ERR_MACHINE' }) as Error);
    expect(() => A.lock(a, 'f')).toThrow(expect.objectContaining({ code: 'GUARD_ERR_MACHINE' }) as Error);
  });
});

describe('a process that is gone', () => {
  it('is known to its machine at once, and to the others by its next beat', () => {
    const { fleet, A, B, a, b } = pair();
    A.lock(a, 'f', 'g');
    A.dead.add(42);
    expect(B.lock(b, 'f')).toEqual([false]);
    expect([A.holders('f'), B.holders('f')]).toEqual([[], [a.id]]);
    A.beat();
    expect(fleet.records().at(-1)).toMatchObject({ type: 'agent.leave', agent: a.id, reason: 'gone' });
    expect(B.lock(b, 'f')).toEqual([true]);
    const beats = fleet.records().length;
    A.beat();
    expect(fleet.records().length).toBe(beats + 1);
  });

  it('on one machine says nothing of the same pid on another', () => {
    const { fleet, A, B, a, b } = pair();
    B.dead.add(42);
    A.lock(a, 'f');
    A.wait(A.session('c', 43), 'f');
    expect(B.queue('f')).toEqual(['claude-c']);
    expect(B.lock(B.session('d', 44), 'f')).toEqual([false]);
    B.beat();
    expect(A.holders('f')).toEqual([a.id]);
    expect(b.proc?.pid).toBe(a.proc?.pid);
    // The same holds if the facts are those of the machine alone.
    const state = fleet.agent(a);
    expect(state && isUp(fleet, state, { ...B.facts, now: fleet.now })).toBe(true);
  });
});

it('a lease of a subagent counts, though its machine was gone for a while and its session has not acted since', () => {
  const { fleet, A, B, a, b } = pair();
  const child = subagent(a, 's');
  A.lock(child, 'f');
  A.present(a);
  pass(fleet, TTL_MS, B);
  expect(A.lock(child, 'f')).toEqual([true]);
  expect([A.holders('f'), B.holders('f')]).toEqual([[child.id], [child.id]]);
  expect(B.lock(b, 'f')).toEqual([false]);
});

it("a person's lease lasts for its ttl while the machine is up, and is another life's elsewhere", () => {
  const { fleet, A, B, b } = pair();
  const person: Who = { id: 'human-ada', kind: 'person', parent: null, session: null, proc: null };
  A.lock(person, 'f');
  pass(fleet, TTL_MS - 1, A);
  expect(B.lock(b, 'f')).toEqual([false]);
  A.present(person);
  pass(fleet, TTL_MS - 1, A);
  expect(B.lock(b, 'f')).toEqual([false]);
  B.lock(person, 'g');
  expect(B.lock(b, 'f')).toEqual([true]);
});

it('a machine that leaves gives back all that its agents hold, for good', () => {
  const { fleet, A, B, a, b } = pair();
  A.lock(a, 'f');
  B.lock(b, 'g');
  A.run({ type: 'machine.leave' });
  expect([B.holders('f'), B.holders('g')]).toEqual([[], [b.id]]);
  A.beat();
  expect(B.lock(b, 'f')).toEqual([true]);
  expect(fleet.types().filter((type) => type.startsWith('machine.'))).toEqual([
    'machine.leave',
    'machine.beat',
  ]);
});
