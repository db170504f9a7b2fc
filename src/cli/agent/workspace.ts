import type { Who } from '../../core/rules/agent.ts';
import { resolveCaller } from '../../harness/caller.ts';
import { type HarnessWorkspace, openHarness } from '../../harness/workspace.ts';
import { callerOf } from '../caller.ts';
import { closing } from '../workspace.ts';
import { guardedRepo } from '../command-place.ts';
import type { Surroundings } from '../../workspace/workspace.ts';

/** Opens the harness of the repository around it for one piece of work. */
export const withHarness = async <T>(
  around: Surroundings,
  work: (space: HarnessWorkspace) => T | Promise<T>,
): Promise<T> => closing(openHarness(guardedRepo(around), around.env), work);

export const drafterAt = (space: HarnessWorkspace, given: string | undefined): Who =>
  resolveCaller(space, callerOf(space, given));
