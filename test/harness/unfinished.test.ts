/** Who may remove a worktree that was never finished. */
import { describe, expect, it } from 'vitest';
import type { DraftState } from '../../src/core/drafts.ts';
import type { Facts } from '../../src/core/types.ts';
import { isHalfDone } from '../../src/harness/unfinished.ts';
import { markProcess } from '../../src/repo/process.ts';

const own = markProcess(process.pid);
const space = { looks_after: 'claude-me', facts: () => ({ machine: own?.machine }) as Facts };
const taken = (supervisor: object | null, id = 'claude-a'): boolean => {
  const worktree = { is_unfinished: true } as DraftState['worktree'];
  return isHalfDone(space, { id, supervisor, worktree } as DraftState);
};

describe('an unfinished worktree', () => {
  it('was taken over by this process', () => expect(taken(own)).toBe(true));

  it.each([
    ['another container', { pid_ns: 'pid:[1]' }],
    ['another machine', { machine: 'other' }],
    ['an earlier boot', { boot: 'earlier' }],
    ['an earlier process', { start: '1' }],
  ])('is being made by a process of %s that has the same number', (_, differs) =>
    expect(taken({ ...own, ...differs })).toBe(false),
  );

  it('is being made by this very process', () => expect(taken(own, 'claude-me')).toBe(false));
});
