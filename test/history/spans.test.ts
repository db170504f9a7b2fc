import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/ledger.ts';
import { openSpans } from '../../src/history/spans.ts';
import { agentState, hold, msAt, pathState, ticket } from './records.ts';

function log() {
  const spans = openSpans();
  return {
    take: (second: number, type: string, s: Readonly<Record<string, Json>>) =>
      spans.take({ s }, { lsn: second * 100, ms: msAt(second), type }),
    seen: () =>
      spans.spans.map(({ path, agent, kind, from_ms, to_ms, ended_by }) => [
        ...[`${agent} ${kind} ${path}`, (from_ms - msAt(0)) / 1_000],
        ...[to_ms === null ? null : (to_ms - msAt(0)) / 1_000, ended_by],
      ]),
  };
}

const held = (...holds: readonly object[]): Json => pathState({ holds });

describe('spans', () => {
  it('last from the grant to the record that ends it', () => {
    const { take, seen } = log();
    take(1, 'hold', { 'path:a': held(hold('ann', 1)) });
    take(5, 'hold', { 'path:a': held(hold('ann', 1)), 'path:b': held(hold('ann', 5)) });
    take(9, 'release', { 'path:a': held() });
    expect(seen()).toEqual([
      ['ann hold a', 1, 9, 'release'],
      ['ann hold b', 5, null, null],
    ]);
  });

  it('are a wait, then a lock, when a file is passed on', () => {
    const { take, seen } = log();
    take(1, 'hold', { 'path:a': held(hold('ann', 1)) });
    take(2, 'wait', { 'path:a': pathState({ holds: [hold('ann', 1)], queue: [ticket('ben', 2)] }) });
    take(4, 'hold', { 'path:a': held(hold('ben', 4)) });
    expect(seen()).toEqual([
      ['ann hold a', 1, 4, 'hold'],
      ['ben wait a', 2, 4, 'hold'],
      ['ben hold a', 4, null, null],
    ]);
  });

  it('of several who share a file, or of a command line beside its agent, are told apart', () => {
    const { take, seen } = log();
    const shared = [hold('ann', 1, { mode: 'shared' }), hold('ben', 1, { mode: 'shared' })];
    take(1, 'hold', {
      'path:a': held(...shared),
      'path:b': held(hold('ann', 1), hold('ann', 1, { command: 't' })),
    });
    take(2, 'release', { 'path:a': held(shared[1] ?? {}), 'path:b': held(hold('ann', 1)) });
    expect(seen()).toEqual([
      ['ann shared a', 1, 2, 'release'],
      ['ben shared a', 1, null, null],
      ['ann hold b', 1, null, null],
      ['ann hold b', 1, 2, 'release'],
    ]);
  });

  it('end with the turn, or with the agent, although the states of their files do not change', () => {
    for (const [type, after] of [
      ['turn.end', agentState('ann', { epoch: 2 })],
      ['agent.leave', agentState('ann', { live: false })],
      ['agent.leave', null],
    ] as const) {
      const { take, seen } = log();
      take(1, 'hold', { 'agent:ann': agentState('ann'), 'path:a': held(hold('ann', 1)) });
      take(3, type, { 'agent:ann': after });
      expect(seen(), type).toEqual([['ann hold a', 1, 3, type]]);
      // The state of the file still lists the old hold.
      take(4, 'hold', { 'path:a': held(hold('ann', 1), hold('ben', 4)) });
      expect(seen().at(-1)).toEqual(['ben hold a', 4, null, null]);
      expect(seen()).toHaveLength(2);
    }
  });

  it('do not include a promise, which nobody waits with', () => {
    const { take, seen } = log();
    take(1, 'release', { 'path:a': pathState({ queue: [ticket('ben', 1, { promised: true })] }) });
    expect(seen()).toEqual([]);
  });

  it('begin when the lock did, if a later record is the first that is kept', () => {
    const { take, seen } = log();
    take(50, 'ledger.carry', { 'path:a': held(hold('ann', 3)) });
    expect(seen()).toEqual([['ann hold a', 3, null, null]]);
  });
});
