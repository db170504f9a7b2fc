import { describe, expect, it } from 'vitest';
import { openHistory } from '../../src/history/history.ts';
import { agentState, hold, msAt, pathState, recordAt } from './records.ts';

function history() {
  const all = openHistory();
  for (const second of [1, 2, 4])
    all.take(recordAt(second, 'hold', { s: { [`agent:${second}`]: agentState('x') } }));
  return all;
}

describe('the history of a ledger', () => {
  it('finds the last record at or before an lsn or a time', () => {
    const all = history();
    expect([0, 100, 399, 400, 9_999].map((lsn) => all.nthOf({ lsn }))).toEqual([-1, 0, 1, 2, 2]);
    expect([0, 1, 3, 4, 99].map((second) => all.nthOf({ ms: msAt(second) }))).toEqual([-1, 0, 1, 2, 2]);
  });

  it('has its ends, and agents in the order in which they came', () => {
    const all = history();
    expect(all).toMatchObject({
      ...{ count: 3, first: { lsn: 100, ms: msAt(1) }, last: { lsn: 400, ms: msAt(4) } },
      agents: ['1', '2', '4'],
    });
    expect(openHistory()).toMatchObject({ count: 0, first: null, last: null, agents: [] });
  });

  it('keeps the name that an agent chose last, also when its profile is no longer there', () => {
    const all = openHistory();
    const profiles = { a: [{ name: 'ann' }, { name: 'anna' }, null], b: [{ name: 'bob' }, { name: null }] };
    for (const [id, states] of Object.entries(profiles))
      for (const state of states) all.take(recordAt(1, 'agent.profile', { s: { [`profile:${id}`]: state } }));
    expect([...all.chosen]).toEqual([['a', 'anna']]);
  });

  it('never goes back in time, even where an old record did', () => {
    const all = history();
    all.take({ ...recordAt(3, 'hold', {}), lsn: 500 });
    expect(all.last).toEqual({ lsn: 500, ms: msAt(4) });
  });

  it('shows who held what at a record', () => {
    const all = openHistory();
    const agents = { 'agent:ann': agentState('ann'), 'agent:ben': agentState('ben') };
    all.take(recordAt(1, 'hold', { s: { ...agents, 'path:a': pathState({ holds: [hold('ann', 1)] }) } }));
    all.take(recordAt(2, 'release', { s: { 'path:a': pathState({}) } }));
    const policy = { idle_ms: 1e9, ttl_ms: 1e9 } as never;
    const heldAt = (nth: number) =>
      all.sceneAt(nth, policy).scene.leases.map(({ path, holder }) => [path, holder]);
    expect([heldAt(0), heldAt(1)]).toEqual([[['a', 'ann']], []]);
    expect(all.sceneAt(1, policy).before.map(({ type }) => type)).toEqual(['hold', 'release']);
  });
});
