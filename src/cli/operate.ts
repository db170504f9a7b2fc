/** Commands that run one operation for an agent. */
import { openWaiters } from '../locks/waiters.ts';
import type { CallerWorkspace, Workspace } from '../workspace/workspace.ts';
import { mustName } from './agent-id.ts';
import { callerOf } from './caller.ts';
import { type Around, operatesAt } from './operate-at.ts';
import { releaseAs } from './release-as.ts';
import { withWorkspace } from './workspace.ts';

export const aroundOf = ({ repo, env }: Workspace, agent: string | undefined): Around => ({
  waiters: openWaiters(),
  release: releaseAs(repo, mustName(agent, env)),
});

export const operates = operatesAt<CallerWorkspace>({
  acts: true,
  open: (shell, { agent, paths }, work) =>
    withWorkspace(
      shell,
      (space) => work({ ...space, who: callerOf(space, agent) }, aroundOf(space, agent)),
      paths,
    ),
});
