/** Worktrees that agents left behind: examined, merged, or discarded. */
import { sessionAgent } from '../core/drafts.ts';
import { agentMeant } from '../harness/agent-meant.ts';
import { discardWorktree } from '../harness/discard-worktree.ts';
import { gitIn, keptWorktrees, type KeptWorktree } from '../harness/kept-worktree.ts';
import { mergeWorktree } from '../harness/merge-worktree.ts';
import { openFiles } from '../harness/open-files.ts';
import type { HarnessWorkspace } from '../harness/workspace.ts';
import { lookAhead } from '../forecast/look.ts';
import { inForecastDir, repositoryAt } from '../forecast/place.ts';
import { type WorktreeChanges, worktreeChanges } from './worktree-changes.ts';
import { type DrafterWorkspace, ONE } from './drafted.ts';
import { flag, optional, withDefault } from './field.ts';
import { operation } from './operation.ts';

/** For one agent, or for all that have one. */
export const AGENT_CHANGES = operation(
  'agent_changes',
  { agentId: optional(ONE.agentId) },
  async ({ agentId }, space: HarnessWorkspace): Promise<WorktreeChanges> => {
    const only = agentId === undefined ? null : sessionAgent(agentMeant(space, agentId).id);
    const kept = keptWorktrees(space);
    if (kept.length === 0) return { into: space.root, worktrees: [], pairs: [], notes: [] };
    const repository = await repositoryAt(space.root, space.env);
    return inForecastDir(repository, async (dir) => {
      const look = await lookAhead({ env: space.env, repository, dir, trunk: 'HEAD' });
      const git = gitIn(space);
      const madeIn = ({ worktree, is_there }: KeptWorktree): ReadonlySet<string> =>
        is_there ? openFiles(git, worktree.dir).made : new Set();
      return worktreeChanges(look, kept, { root: space.root, only, madeIn });
    });
  },
);

export const MERGE_WORKTREE = operation(
  'merge_worktree',
  { ...ONE, squash: withDefault(flag('As one commit'), false) },
  ({ agentId, squash }, space: DrafterWorkspace, { release }) =>
    mergeWorktree(space, agentId, { squash, release }),
);

export const DISCARD_WORKTREE = operation('discard_worktree', ONE, ({ agentId }, space: DrafterWorkspace) =>
  discardWorktree(space, agentId),
);
