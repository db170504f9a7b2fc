/** An agent of an earlier run, as the ledger remembers it. */
import { expect } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { type Ending, NO_USAGE } from '../../src/core/drafts.ts';
import type { ProcessMark } from '../../src/core/types.ts';
import { recordEnd } from '../../src/harness/record-end.ts';
import { draftOf, type HarnessWorkspace, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { markProcess } from '../../src/repo/process.ts';
import type { Harness } from './harness.ts';

export const SESSION = '11111111-2222-4333-8444-555555555555';
export const ID = `claude-${SESSION}`;

export const ENDING: Ending = {
  ...{ status: 'killed', reason: 'the end of a test', exit_code: null, signal: null },
  ...{ last_output: '', result: null, usage: NO_USAGE, worktree: null, needs: null, api_error: null },
};

export const markOf = (pid: number): ProcessMark => {
  const mark = markProcess(pid);
  if (mark === null) throw new Error('no such process');
  return mark;
};

/** Records the agent's end, as its supervisor would. */
export function endLeft(space: HarnessWorkspace, ending: Ending = ENDING): void {
  const run = draftOf(space, ID);
  if (run === null) throw new Error('no such agent');
  recordEnd(space, run, ending);
}

/** An agent as an earlier supervisor left it in the ledger, holding a lock. */
export function leftRunning(at: Harness, supervisor: ProcessMark, client: ProcessMark): void {
  const space = openHarness(locateRepo(at.at.root), at.at.env);
  const who = whoOf(ID, SESSION);
  const limits = { limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS };
  const role = { role: 'dev', category: 'worker', access: 'readonly', task: 'left' } as const;
  const begin = { phase: 'begin', who: whoOf('claude-before', 'before'), agent: who } as const;
  space.run({ type: 'draft', ...begin, ...role, ...limits, drafter: supervisor });
  space.run({ type: 'draft', phase: 'run', who, client, worktree: null });
  space.close();
  expect(at.as(ID, 'lock', 'try', 'a.txt').exit).toBe(0);
}
