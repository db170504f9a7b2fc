import type { Who } from '../../core/rules/agent.ts';
import { resolveCaller } from '../../harness/caller.ts';
import { openHarness } from '../../harness/workspace.ts';
import type { HarnessWorkspace } from '../../harness/workspace.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import type { Shell } from '../shell.ts';

/** Opens the harness of the repository around it for one piece of work, and closes it whatever happens. */
export async function withHarness<T>(
  shell: Shell,
  work: (space: HarnessWorkspace) => T | Promise<T>,
): Promise<T> {
  const space = openHarness(guardedRepo(shell), shell.env);
  try {
    return await work(space);
  } finally {
    space.close();
  }
}

export const drafterAt = (space: HarnessWorkspace, given: string | undefined): Who =>
  resolveCaller(space, callerOf(space, given));
