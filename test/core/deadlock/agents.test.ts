/** Cycles through an agent's end: a call of the Agent tool waits for its subagent as a lock waits for its holder. */
import { describe, expect, it } from 'vitest';
import { cycleInWords, releaseLine, toldToVictim, toldToWinner } from '../../../src/core/deadlock-words.ts';
import type { Deadlock } from '../../../src/core/rules/deadlock.ts';
import { idOf, reserve } from '../reservations/stage.ts';
import { file, H1, seen, subagent, type World } from '../world.ts';
import { begin, call, edges, end, kid, second, spawn, split } from './family.ts';
import { a, b, c, errors, found, kinds, share, wait, world } from './stage.ts';

const circle = [a.id, kid.id, c.id];

describe('a parent, its subagent and another session', () => {
  it('are a deadlock in the transaction of the wait that closes it, the subagent its', () => {
    const at = split();
    wait(at, c, 'x');
    expect(found(at)).toEqual([]);
    const [mine] = wait(at, kid, 'y');
    expect(mine).toMatchObject({
      error: 'DEADLOCK',
      deadlock: { victim: kid.id, release: ['x'], held_by: a.id },
    });
    expect(found(at)).toEqual([[kid.id, circle]]);
  });

  it('or the session', () => {
    const at = split();
    wait(at, kid, 'y');
    const [mine] = wait(at, c, 'x');
    expect(mine?.error).toBeUndefined();
    expect(mine?.deadlock && toldToWinner(mine.deadlock, c.id)).toContain(`${kid.id} was told to release x`);
    expect(errors(wait(at, kid, 'y'))).toEqual(['DEADLOCK']);
  });

  it('are found when it becomes certain for whom the parent waits', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(c, 'y');
    call(at, a, '1', { is_background: true });
    call(at, a, '2');
    begin(at, kid);
    wait(at, c, 'x');
    wait(at, kid, 'y');
    expect([found(at), kinds(at)]).toEqual([[], ['possible']]);
    end(at, a, '1');
    at.run({ type: 'agent.detached', who: a, agent: second.id });
    expect(found(at)).toEqual([[kid.id, circle]]);
  });

  it('are found also beside a subagent that stopped and was not sent back to work', () => {
    const at = world();
    at.lock(a, 'x');
    at.lock(c, 'y');
    call(at, a, '1');
    call(at, a, '2');
    begin(at, kid);
    begin(at, second);
    at.run({ type: 'turn.end', who: second, running: null, grace_ms: 60_000 });
    end(at, a, '2');
    wait(at, c, 'x', { for_ms: 300_000 });
    wait(at, kid, 'y', { for_ms: 300_000 });
    expect(found(at)).toEqual([]);
    at.pass(60_000);
    wait(at, c, 'x', { for_ms: 300_000 });
    wait(at, kid, 'y', { for_ms: 300_000 });
    expect(found(at)).toEqual([[kid.id, circle]]);
  });

  it('end it by what the subagent is told: it takes the lock over and gives it back, and the session goes on', () => {
    const at = split();
    wait(at, c, 'x');
    const [mine] = wait(at, kid, 'y');
    const dead = mine?.deadlock as Deadlock;
    expect(releaseLine(dead, 'guard', (path) => `/r/${path}`)).toBe(
      'guard lock try /r/x; guard lock release /r/x',
    );
    expect(toldToVictim(dead, 'C')).toBe(
      `Deadlock: ${cycleInWords(dead.cycle)}. You were chosen to give way, on behalf of ${a.id}, which waits for you. Run: C`,
    );
    expect(cycleInWords(dead.cycle)).toContain(`${a.id} waits for its subagent ${kid.id}`);
    expect(at.lock(kid, 'x')).toMatchObject([{ acquired: true }]);
    at.run({ type: 'lock.release', who: kid, paths: ['x'] });
    expect(wait(at, c, 'x')).toMatchObject([{ acquired: true }]);
    at.run({ type: 'lock.release', who: c, paths: ['x', 'y'] });
    expect(wait(at, kid, 'y')).toMatchObject([{ acquired: true }]);
    expect(found(at)).toHaveLength(1);
  });

  it('choose the session where the subagent cannot take over: a write is under way, a reservation, others share it', () => {
    const cases: ((at: World) => void)[] = [
      (at) => at.begin(a, 'x', 'op', file(H1), seen(H1)),
      (at) => {
        at.run({ type: 'lock.release', who: a, paths: ['x'] });
        idOf(reserve(at, a, 'x/**'));
      },
      (at) => {
        at.run({ type: 'lock.release', who: a, paths: ['x'] });
        share(at, a, 'x');
        share(at, b, 'x');
      },
    ];
    for (const [n, prepare] of cases.entries()) {
      const at = split(world(), prepare);
      wait(at, c, n === 1 ? 'x/1' : 'x');
      wait(at, kid, 'y');
      expect(found(at)).toEqual([[c.id, circle]]);
    }
  });

  it('never the parent, whatever the policy', () => {
    for (const victim of ['youngest', 'fewest_leases', 'least_work'] as const) {
      const at = split(world({ victim }));
      at.begin(c, 'y', 'op', file(H1), seen(H1));
      at.end(c, 'y', 'op', H1);
      wait(at, c, 'x');
      wait(at, kid, 'y');
      expect(found(at).map(([who]) => who)).toEqual([kid.id]);
    }
  });

  it('of two sessions that both wait for a subagent: one of the subagents', () => {
    const at = split();
    const other = subagent(c, 'j');
    spawn(at, c, other);
    wait(at, other, 'x');
    wait(at, kid, 'y');
    expect(found(at)).toEqual([[other.id, [a.id, kid.id, c.id, other.id]]]);
  });

  it('are none where nobody can let go: the one that waits is told to go on without it', () => {
    const at = world();
    reserve(at, a, 'x/**');
    reserve(at, c, 'y/**');
    const other = subagent(c, 'j');
    spawn(at, a, kid);
    spawn(at, c, other);
    wait(at, other, 'x/1');
    const [mine] = wait(at, kid, 'y/1');
    const told = mine?.error === 'DEADLOCK' ? mine : wait(at, other, 'x/1')[0];
    expect(told).toMatchObject({ error: 'DEADLOCK', deadlock: { release: [] } });
    expect(told?.deadlock && toldToVictim(told.deadlock, '')).toContain('continue without this file');
  });

  it('resolve release: the lock of the parent ends at once', () => {
    const at = split(world({ resolve: 'release' }));
    wait(at, c, 'x');
    expect(errors(wait(at, kid, 'y'))).toEqual(['DEADLOCK']);
    expect(at.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: a.id, path: 'x', to: c.id, cause: 'deadlock' },
    ]);
    expect(wait(at, c, 'x')).toMatchObject([{ acquired: true }]);
  });

  it('are no deadlock where the subagent waits for what its parent holds: it is given that', () => {
    const at = split();
    expect(wait(at, kid, 'x')).toMatchObject([{ acquired: true }]);
    expect([found(at), kinds(at)]).toEqual([[], []]);
  });

  it('nor after the call, the subagent or the parent has ended', () => {
    for (const over of [
      (at: World) => end(at, a, `call-${kid.id}`),
      (at: World) => at.run({ type: 'agent.detached', who: a, agent: kid.id }),
    ]) {
      const at = split();
      over(at);
      wait(at, c, 'x');
      expect(errors(wait(at, kid, 'y'))).toEqual([undefined]);
    }
    const at = split();
    wait(at, c, 'x');
    at.run({ type: 'agent.leave', who: kid, reason: 'subagent_stop' });
    expect([edges(at), at.agent(a)?.started]).toEqual([[], undefined]);
  });
});

describe('who waits for whom', () => {
  it('is certain of each of several subagents at once: the parent waits for all', () => {
    const at = world();
    call(at, a, '1');
    call(at, a, '2');
    begin(at, kid);
    begin(at, second);
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`, `${a.id} wait ${second.id}`]);
    at.run({ type: 'agent.leave', who: kid, reason: 'subagent_stop' });
    end(at, a, '1');
    expect(edges(at)).toEqual([`${a.id} wait ${second.id}`]);
  });

  it('is only possible while a call may be in the background, and certain when that is settled', () => {
    const at = world();
    call(at, a, '1', { is_background: true });
    call(at, a, '2');
    begin(at, kid);
    expect(edges(at)).toEqual([`${a.id} wanted ${kid.id}`]);
    at.run({ type: 'agent.detached', who: a, agent: second.id });
    end(at, a, '1');
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`]);
    begin(at, second);
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`]);
  });

  it('is certain of a call that leaves it to the client when it did not return at once', () => {
    const at = world();
    call(at, a, '1', {});
    begin(at, kid);
    expect(edges(at)).toEqual([`${a.id} wanted ${kid.id}`]);
    at.pass(2_000);
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`]);
  });

  it('a subagent that works in the background is nobody waited for, also beside one in the foreground', () => {
    const at = world();
    begin(at, second);
    spawn(at, a, kid);
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`]);
  });

  it('goes through several levels: a subagent waits for its own', () => {
    const at = split();
    spawn(at, kid, second);
    expect(edges(at)).toEqual([`${a.id} wait ${kid.id}`, `${kid.id} wait ${second.id}`]);
    wait(at, c, 'x');
    wait(at, second, 'y');
    expect(found(at)).toEqual([[second.id, [a.id, kid.id, second.id, c.id]]]);
    expect(at.wait(second).verdicts).toMatchObject([{ release: ['x'], held_by: a.id }]);
  });

  it('is only possible where two may have called: nobody is made a victim', () => {
    const at = split();
    call(at, a, 'A');
    call(at, kid, 'K');
    begin(at, second);
    wait(at, c, 'x');
    wait(at, second, 'y');
    expect([found(at), kinds(at)]).toEqual([[], ['possible']]);
  });
});
