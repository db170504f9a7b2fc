/** Waiting for drafted agents, victims that do not obey, and how a cycle is shown after its victim was notified. */
import { describe, expect, it } from 'vitest';
import { toldToVictim } from '../../../src/core/deadlock-words.ts';
import { viewOf } from '../../../src/core/fold.ts';
import { statusOf } from '../../../src/core/report.ts';
import type { Deadlock } from '../../../src/core/rules/deadlock.ts';
import { agent, file, H1, proc, seen, type World } from '../world.ts';
import { awaits, edges, kid, split } from './family.ts';
import { a, b, c, errors, found, wait, world } from './stage.ts';

describe('await_agent', () => {
  const drafted = agent('d', { proc: proc(9) });
  const holds = (): World => {
    const at = world();
    at.lock(a, 'x');
    at.lock(drafted, 'own');
    return at;
  };

  it('is a wait: of an agent that waits for what the caller holds, the caller is told to let go, and may wait again', () => {
    const at = holds();
    expect(awaits(at, a, drafted)).toBeNull();
    wait(at, drafted, 'x');
    expect(found(at)).toEqual([[a.id, [a.id, drafted.id]]]);
    const dead = awaits(at, a, drafted, 'go_on');
    expect(dead).toMatchObject({ victim: a.id, release: ['x'] });
    expect(at.wait(a).awaits).toBeUndefined();
    at.run({ type: 'lock.release', who: a, paths: ['x'] });
    expect(awaits(at, a, drafted)).toBeNull();
    expect(wait(at, drafted, 'x')).toMatchObject([{ acquired: true }]);
  });

  it('in a circle with another session leaves the choice to those who wait for files', () => {
    const at = holds();
    at.lock(c, 'y');
    awaits(at, a, drafted);
    wait(at, drafted, 'y');
    expect(errors(wait(at, c, 'x'))).toEqual(['DEADLOCK']);
    expect(found(at)).toEqual([[c.id, [a.id, drafted.id, c.id]]]);
  });

  it('of each other ends for one of them', () => {
    const at = holds();
    awaits(at, a, drafted);
    expect(awaits(at, drafted, a)).toMatchObject({ victim: drafted.id, release: [] });
    expect(edges(at)).toEqual([`${a.id} wait ${drafted.id}`]);
  });

  it('is no wait of a process that is gone, that said nothing for long, or for an agent that is over', () => {
    const over: ((at: World) => void)[] = [
      (at) => at.dead.add(7),
      (at) => at.pass(30_000),
      (at) => at.run({ type: 'agent.leave', who: drafted, reason: 'exit:completed' }),
    ];
    for (const happens of over) {
      const at = holds();
      at.run({ type: 'agent.await', who: a, agent: drafted.id, phase: 'begin', proc: proc(7) });
      expect(edges(at)).toHaveLength(1);
      happens(at);
      expect(edges(at)).toEqual([]);
    }
  });
});

describe('a victim that waits again instead of letting go', () => {
  it('loses at its second refusal what it keeps, is told so in short, and waits like anybody after that', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(b, 'y');
    wait(at, a, 'y');
    const [first] = wait(at, b, 'x');
    const [again] = wait(at, b, 'x');
    expect([first?.error, again?.error]).toEqual(['DEADLOCK', 'DEADLOCK']);
    expect(at.path('y').holds).toEqual([]);
    expect(at.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: b.id, path: 'y', to: a.id, cause: 'deadlock' },
    ]);
    const words = toldToVictim(again?.deadlock as Deadlock, 'C');
    expect(words).toBe(
      'You waited again instead of giving way: your lock on y has ended. Lock and read it again before you continue with it.',
    );
    expect(wait(at, a, 'y')).toMatchObject([{ acquired: true }]);
    expect(errors(wait(at, b, 'x'))).toEqual([undefined]);
  });

  it('keeps what it writes at that moment, or what another server keeps, and is told in short', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(b, 'y');
    at.begin(b, 'y', 'op', file(H1), seen(H1));
    wait(at, a, 'y');
    wait(at, b, 'x');
    const [again] = wait(at, b, 'x');
    expect(at.path('y').holds).toHaveLength(1);
    expect(toldToVictim(again?.deadlock as Deadlock, 'C')).toBe('You are still in the deadlock. Run: C');
  });

  it('where it works for its parent: the lock of the parent ends', () => {
    const at = split();
    wait(at, c, 'x');
    wait(at, kid, 'y');
    const [again] = wait(at, kid, 'y');
    expect(toldToVictim(again?.deadlock as Deadlock, 'C')).toBe(
      `You waited again instead of giving way: the lock of ${a.id} on x has ended.`,
    );
    expect(wait(at, c, 'x')).toMatchObject([{ acquired: true }]);
  });
});

describe('guard deadlock', () => {
  const shown = (at: World) => statusOf(viewOf(at.states), at.facts).cycles;

  it('stays certain for the others when the victim was told, as long as it lets go of nothing', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(b, 'y');
    wait(at, b, 'x');
    wait(at, a, 'y', { for_ms: 900_000 });
    expect(shown(at)).toMatchObject([{ kind: 'deadlock', state: 'open', victim: b.id }]);
    wait(at, b, 'x');
    const told = { kind: 'deadlock', state: 'told', victim: b.id, release: ['y'] };
    const back = { from: b.id, to: a.id, path: 'x', kind: 'wanted' };
    expect(shown(at)).toMatchObject([{ ...told, edges: [{ from: a.id, kind: 'wait' }, back] }]);
    for (let n = 0; n < 7; n++) wait(at.pass(20_000), a, 'y', { for_ms: 900_000 });
    expect(shown(at)).toMatchObject([{ ...told, edges: [{ from: a.id, kind: 'wait' }, back] }]);
    at.run({ type: 'lock.release', who: b, paths: ['y'] });
    expect(shown(at)).toEqual([]);
  });
});
