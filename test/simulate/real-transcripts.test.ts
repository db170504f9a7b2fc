/** Transcripts that the real client wrote (test/e2e/facts/transcripts.test.ts). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reported, refusals, simulated } from './told.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/transcripts');

describe('guard simulate: what the real client wrote', () => {
  it('two sessions on one file: the second writes while the first has read it', () => {
    expect(refusals(join(FIXTURES, 'two-sessions'), { checkouts: [{ name: '', root: '/repo' }] })).toEqual([
      [expect.stringMatching(/^claude-0931417a/), 'a.txt', 'STALE_FILE+LOCKED_BY_OTHER', 'written'],
    ]);
  });

  it('a subagent changes what its session has read', () => {
    const report = reported(join(FIXTURES, 'subagent'));
    expect(report).toMatchObject({ sessions: 1, agents: 2, calls: { reads: 2, writes: 3 } });
    expect(report.denied.list).toMatchObject([{ error_type: 'STALE_FILE', also: [], outcome: 'written' }]);
    expect(report.denied.list[0]?.agent).not.toContain('/');
  });

  it('what a fork repeats is told once, and is the work of the session it came from', () => {
    const { world, ...found } = simulated(join(FIXTURES, 'resumed'));
    expect(found.unreadable).toEqual({ lines: 0, cut: 0, files: 0 });
    expect(world.counts).toMatchObject({ prompts: 3, reads: 2, writes: 3 });
    expect(world.contention.files()).toMatchObject([{ path: 'a.txt', agents: 2, writes: 3, handovers: 1 }]);
    expect(world.denials.total()).toBe(0);
  });
});
