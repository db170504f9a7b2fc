/** An agent that is granted a path is its only holder, whichever agents come back or continue meanwhile. */
import { describe, expect, it } from 'vitest';
import { GLOBS } from '../../../src/core/keys.ts';
import { agent, missing, proc, subagent, World } from '../world.ts';
import { a, b, c, got, reserve, tries } from './stage.ts';

describe('a subagent that comes back with its session', () => {
  it('has no longer what another agent was granted meanwhile', () => {
    const world = new World();
    const child = subagent(a, 'child');
    world.run({ type: 'agent.present', who: a });
    reserve(world, child, ['src/**', 'lib/**']);
    world.run({ type: 'agent.leave', who: a, reason: 'session_end:other' });
    expect(got(reserve(world, b, 'src/**'))).toEqual([true]);
    world.run({ type: 'agent.present', who: a });
    expect(reserve(world, c, 'src/**')[0]?.conflicts.map(({ agent_id }) => agent_id)).toEqual([b.id]);
    expect(tries(world, child, 'src/x')).toEqual([b.id]);
    expect(tries(world, b, 'src/x')).toEqual(['got']);
  });
});

describe('an agent that died', () => {
  it('is on no list of those who reserve, once another one reserves', () => {
    const world = new World();
    const many = Array.from({ length: 5 }, (_, n) => agent(`n${n}`, { proc: proc(100 + n) }));
    for (const one of many) reserve(world, one, `src/${one.id}`);
    for (const one of many) world.dead.add(one.proc?.pid ?? 0);
    reserve(world, b, 'src/**');
    expect(Object.keys((world.states.get(GLOBS) as { agents: object }).agents)).toEqual([b.id]);
  });
});

describe('a write that outlasts the reservation it was approved under', () => {
  it('keeps others from reserving its file, and nothing else', () => {
    const world = new World();
    reserve(world, a, 'src/**', { ttl_ms: 60_000 });
    expect(world.begin(a, 'src/x', 'op', missing).verdict).toBe('approved');
    world.pass(61_000);
    expect(reserve(world, b, 'src/**')[0]?.conflicts).toMatchObject([
      { reservation_id: null, agent_id: a.id, pattern: 'src/x', reason: 'is writing this file' },
    ]);
    expect(got(reserve(world, b, 'src/y'))).toEqual([true]);
    expect(tries(world, c, 'src/x')).toEqual([a.id]);
    world.run({ type: 'turn.end', who: a, running: [] });
    expect(got(reserve(world, b, 'src/**'))).toEqual([true]);
  });
});

describe('a shared reservation that becomes exclusive', () => {
  it('is a grant of its own, after all that came before, under its old id', () => {
    const world = new World();
    const [first] = reserve(world, a, 'src/**', { mode: 'shared' });
    const [other] = reserve(world, b, 'src/**', { mode: 'shared' });
    world.run({ type: 'unreserve', who: b, ids: null });
    const [now] = reserve(world, a, 'src/**');
    expect(now?.reservation).toMatchObject({ id: first?.reservation?.id, mode: 'exclusive' });
    expect(now?.reservation?.token).toBeGreaterThan(other?.reservation?.token ?? Infinity);
    const [renewed] = reserve(world, a, 'src/**', { mode: 'shared' });
    expect(renewed?.reservation).toMatchObject({ mode: 'exclusive', token: now?.reservation?.token });
  });
});

describe('a lease that counts no more', () => {
  it('does not come back with its silent holder under what was reserved meanwhile', () => {
    const world = new World();
    world.lock(a, 'src/x');
    world.pass(world.policy.ttl_ms);
    expect(got(reserve(world, b, 'src/**', { ttl_ms: 3_600_000 }))).toEqual([true]);
    expect(tries(world, a, 'src/x')).toEqual([b.id]);
    expect(world.records.filter(({ type }) => type === 'revoke')).toMatchObject([
      { agent: a.id, cause: 'expired' },
    ]);
  });

  it('does not come back with the session of a subagent', () => {
    const world = new World();
    const child = subagent(a, 'child');
    world.run({ type: 'agent.present', who: a });
    world.lock(child, 'src/x');
    world.run({ type: 'agent.leave', who: a, reason: 'session_end:other' });
    expect(got(reserve(world, b, 'src/**'))).toEqual([true]);
    world.run({ type: 'agent.present', who: a });
    expect(tries(world, child, 'src/x')).toEqual([b.id]);
  });
});
