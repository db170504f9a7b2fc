/** Which agents have no supervisor any longer, by what is recorded about it. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import type { DraftState } from '../../src/core/drafts.ts';
import type { Facts } from '../../src/core/types.ts';
import { isAbandoned } from '../../src/harness/reconcile.ts';

const draft = {
  ...{ status: 'running', limits: DEFAULT_LIMITS, started_wall_ms: 0, worktree: null },
  supervisor: { pid: 7, start: '1', boot: 'this boot', pid_ns: 'ns', machine: 'named' },
} as unknown as DraftState;
const seen = (facts: object): boolean => {
  const now = { wall_ms: 1_000, mono_ms: 1_000, boot: 'this boot' };
  return isAbandoned(draft, { now, machine: 'named', isDead: () => false, ...facts } as unknown as Facts);
};
const shared = { wall_ms: 1_000, mono_ms: 1_000, boot: 'the clock of the engine' };

describe('an agent whose supervisor lives', () => {
  it.each([
    ['on a ledger of one machine', {}, false],
    ['and whose machine was restarted since', { now: { ...shared, boot: 'the next' } }, true],
    ['on a ledger that machines share', { now: shared, machine_boot: 'this boot' }, false],
    ['on a shared ledger, and was restarted since', { now: shared, machine_boot: 'the next' }, true],
    ['on another machine of a shared ledger', { now: shared, machine_boot: 'x', machine: 'another' }, false],
  ])('%s', (_, facts, is_abandoned) => expect(seen(facts)).toBe(is_abandoned));
});
