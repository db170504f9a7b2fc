/** Gives up an agent's worktree and branch. Their contents stay in a commit until git collects it. */
import { monotonic } from '../repo/clock.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { commitOpen, ownWorktree } from './kept-worktree.ts';
import type { HarnessWorkspace } from './workspace.ts';
import { removeWhole } from './worktree.ts';

const TURN_MS = 60_000;

export interface DiscardedWorktree {
  readonly agentId: string;
  readonly branch: string;
  /** `git branch NAME COMMIT` brings it back. */
  readonly commit: string;
}

/** @throws GuardError GUARD_ERR_AGENT, GUARD_ERR_WORKTREE */
export function discardWorktree(space: HarnessWorkspace & CallerWorkspace, given: string): DiscardedWorktree {
  const kept = ownWorktree(space, given);
  const { draft, worktree } = kept;
  const { who } = space;
  const { tip: commit } = commitOpen(space, kept);
  inTurn(space, monotonic() + TURN_MS, () => removeWhole(space.root, worktree));
  const settled = { how: 'discarded', by: who.id, commit } as const;
  space.run({ type: 'draft', phase: 'settle', who, id: draft.id, settled, written: [] });
  return { agentId: draft.id, branch: worktree.branch, commit };
}
