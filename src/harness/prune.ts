/** Leftovers of ended agents that no one needs: logs by age and size, worktrees and branches without work of their own. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { isOver, type WorktreeSettled } from '../core/drafts.ts';
import { monotonic } from '../repo/clock.ts';
import { isSweepDue, noteSweep } from '../repo/sweep-due.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { ifSaid } from '../worktrees/git.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { branchTip, gitIn, keptWorktrees } from './kept-worktree.ts';
import { KEEP_BYTES, type OldLog, prunableLogs, type PruneLimits, removeLogs } from './old-logs.ts';
import { allDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';
import { isUnused, removeIfUnused } from './unused-worktree.ts';

export interface Prunable {
  readonly logs: readonly OldLog[];
  readonly worktrees: readonly { readonly agentId: string; readonly dir: string; readonly branch: string }[];
  readonly bytes: number;
}

const TURN_MS = 60_000;

/** Worktrees of agents that ended before, with nothing that the main checkout does not have. */
export const prunableWorktrees = (
  space: HarnessWorkspace,
  limits: Pick<PruneLimits, 'before_wall_ms'>,
): Prunable['worktrees'] =>
  keptWorktrees(space).flatMap((kept) => {
    const { draft, worktree } = kept;
    const { dir, branch } = worktree;
    return isUnused(space, kept, limits) ? [{ agentId: draft.id, dir, branch }] : [];
  });

/** @param limits by which `worktrees` were found */
export function prune(
  space: HarnessWorkspace & CallerWorkspace,
  { logs, worktrees }: Prunable,
  limits: Pick<PruneLimits, 'before_wall_ms'>,
): void {
  removeLogs(space, logs);
  const ids = worktrees.map(({ agentId }) => agentId);
  const removed =
    ids.length === 0
      ? []
      : inTurn(space, monotonic() + TURN_MS, () => ids.filter((id) => removeIfUnused(space, id, limits)));
  const commit = ifSaid(gitIn(space), space.root, 'rev-parse', 'HEAD') ?? '';
  for (const id of removed) settle(space, id, { how: 'pruned', by: space.who.id, commit, into: space.root });
  settleLost(space);
}

/** The ledger keeps an agent as long as its worktree, so every removal is recorded, no matter who did it. */
function settle(space: HarnessWorkspace, id: string, settled: WorktreeSettled): void {
  space.run({ type: 'draft', phase: 'settle', who: whoOf(settled.by, ''), id, settled, written: [] });
}

/** Their directory and branch were removed without guard. Those of other machines cannot be checked from here. */
function settleLost(space: HarnessWorkspace): void {
  const git = gitIn(space);
  const { machine } = space.facts();
  for (const draft of allDrafts(space)) {
    const { worktree, supervisor } = draft;
    if (worktree?.kept !== true || !isOver(draft) || supervisor?.machine !== machine) continue;
    if (!worktree.dir.startsWith(`${space.root}${sep}`) || existsSync(worktree.dir)) continue;
    if (branchTip(git, space.root, worktree.branch) !== null) continue;
    settle(space, draft.id, { how: 'gone', by: 'guard', commit: worktree.base });
  }
}

const KEEP_MS = 30 * 86_400_000;

/** At most once an hour, and of the files only logs. What fails is tried again next time. */
export function keepWithin(space: HarnessWorkspace): void {
  const dir = join(space.repo.state_dir, 'agents');
  const { wall_ms } = space.facts().now;
  if (!isSweepDue(dir, wall_ms)) return;
  noteSweep(dir, wall_ms);
  const limits = { before_wall_ms: wall_ms - KEEP_MS, max_bytes: KEEP_BYTES };
  attempt(() => removeLogs(space, prunableLogs(space, limits)), undefined);
  attempt(() => settleLost(space), undefined);
}
