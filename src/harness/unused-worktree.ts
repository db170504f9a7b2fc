/** Worktrees with nothing that the main checkout does not have, of agents that ended long enough ago. */
import { existsSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { isOver } from '../core/drafts.ts';
import type { AgentId } from '../core/types.ts';
import { ifSaid } from '../worktrees/git.ts';
import { branchTip, gitIn, type KeptWorktree } from './kept-worktree.ts';
import type { PruneLimits } from './old-logs.ts';
import { openFiles } from './open-files.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';
import { removeUnused, removeWhole } from './worktree.ts';

type EndedBefore = Pick<PruneLimits, 'before_wall_ms'>;

export function isUnused(
  space: HarnessWorkspace,
  { draft, worktree, is_there }: KeptWorktree,
  { before_wall_ms }: EndedBefore,
): boolean {
  if (!isOver(draft) || (draft.ended_wall_ms ?? 0) >= before_wall_ms) return false;
  const git = gitIn(space);
  const { dir, branch } = worktree;
  const head = ifSaid(git, space.root, 'rev-parse', 'HEAD');
  if (head === null) return false;
  const isIn = (at: string, tip: string): boolean =>
    ifSaid(git, at, 'merge-base', '--is-ancestor', tip, head) !== null;
  const own = `refs/heads/${branch}`;
  const isMerged = is_there ? isIn(dir, 'HEAD') : isIn(space.root, own);
  const isBranchMerged = branchTip(git, space.root, branch) === null || isIn(space.root, own);
  const isClean =
    !is_there ||
    worktree.is_unfinished === true ||
    attempt(() => openFiles(git, dir).open.length === 0, false);
  return isMerged && isBranchMerged && isClean;
}

/**
 * Whoever removes it waited for its turn, for up to a minute: meanwhile a message may have resumed the agent, or a person
 * may have worked there. Returns whether it was removed.
 */
export function removeIfUnused(space: HarnessWorkspace, id: AgentId, limits: EndedBefore): boolean {
  const draft = draftOf(space, id);
  const worktree = draft?.worktree;
  if (draft === null || worktree?.kept !== true) return false;
  if (!isUnused(space, { draft, worktree, is_there: existsSync(worktree.dir) }, limits)) return false;
  // One that was never finished is locked, and contains no one's work.
  const remove = worktree.is_unfinished === true ? removeWhole : removeUnused;
  return attempt(() => {
    remove(space.root, worktree);
    return true;
  }, false);
}
