import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRecord, type Snapshot } from '../../src/core/fold.ts';
import { momentAfter } from '../../src/core/moment.ts';
import type { Now } from '../../src/core/types.ts';
import { changeOf, type SeenChange } from '../../src/history/changes.ts';
import { openChapters } from '../../src/history/chapters.ts';
import { agentState, hold, pathState, recordAt } from './records.ts';

/** More than two chapters. */
const COUNT = 2_345;
const changes: readonly SeenChange[] = Array.from({ length: COUNT }, (_, nth) => {
  const path = `path:${nth % 7}.ts`;
  const state = nth % 3 === 0 ? null : pathState({ holds: [hold('ann', nth)] });
  const agent = agentState('ann', { active_mono_ms: nth * 1_000 });
  return changeOf(recordAt(nth + 1, 'hold', { s: { [path]: state, 'agent:ann': agent } }));
});

function foldedTo(nth: number): { readonly states: Snapshot; readonly now: Now } {
  const states: Snapshot = new Map();
  let now: Now = { wall_ms: 0, mono_ms: 0, boot: '' };
  for (const change of changes.slice(0, nth + 1)) {
    applyRecord(states, change);
    now = momentAfter(now, change);
  }
  return { states, now };
}

describe('packed chapters', () => {
  const chapters = openChapters();
  for (const change of changes) chapters.take(change);

  it('have every moment as it was, on either side of where a chapter ends', () => {
    expect(chapters.count).toBe(COUNT);
    const nth = fc.integer({ min: 0, max: COUNT - 1 });
    fc.assert(
      fc.property(nth, (at) => {
        const { states, now, before } = chapters.momentAt(at);
        const then = foldedTo(at);
        expect([Object.fromEntries(states), now]).toEqual([Object.fromEntries(then.states), then.now]);
        expect(before.at(-1)).toEqual(changes[at]);
      }),
      { numRuns: 15, examples: [[0], [999], [1_000], [1_999], [2_000], [COUNT - 1]] },
    );
  });

  it('are small beside what they hold', () => {
    expect(chapters.bytes).toBeGreaterThan(0);
    expect(chapters.bytes * 5).toBeLessThan(JSON.stringify(changes).length);
  });
});
