/** Where commands about drafted agents run. */
import { resolveCaller } from '../../harness/caller.ts';
import { type HarnessWorkspace, openHarness } from '../../harness/workspace.ts';
import type { DrafterWorkspace } from '../../operations/drafted.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { aroundOf } from '../operate.ts';
import { operatesAt } from '../operate-at.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';
import { closing } from '../workspace.ts';

const opened = ({ cwd, env }: Shell): HarnessWorkspace => openHarness(guardedRepo({ cwd, env }), env);

export const inHarness = operatesAt<HarnessWorkspace>({
  acts: false,
  open: (shell, _, work) => closing(opened(shell), (space) => work(space, ONLY_LOOKS)),
});

export const asDrafter = operatesAt<DrafterWorkspace>({
  acts: true,
  open: (shell, { agent }, work) =>
    closing(opened(shell), (space) => {
      const who = resolveCaller(space, callerOf(space, agent));
      return work({ ...space, who }, aroundOf(space, agent));
    }),
});

export const withHarness = <T>(shell: Shell, work: (space: HarnessWorkspace) => T | Promise<T>): Promise<T> =>
  closing(opened(shell), async (space) => work(space));
