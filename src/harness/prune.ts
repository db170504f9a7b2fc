/** What is left of agents that are over and that nobody needs: logs by age and size, worktrees and branches with nothing of their own. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import { monotonic } from '../repo/clock.ts';
import { namesIn } from '../repo/names-in.ts';
import { isSweepDue, noteSweep } from '../repo/sweep-due.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { ifSaid } from '../worktrees/git.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { agentFiles } from './agent-files.ts';
import { gitIn, keptWorktrees } from './kept-worktree.ts';
import { openFiles } from './open-files.ts';
import { allDrafts, type HarnessWorkspace } from './workspace.ts';
import { removeWhole } from './worktree.ts';

export interface PruneLimits {
  /** Logs of agents that ended before this go. */
  readonly before_wall_ms: number;
  /** Beyond so many bytes of logs the oldest go, too. */
  readonly max_bytes: number;
}

export interface Prunable {
  readonly logs: readonly { readonly agentId: string; readonly endedAt: number; readonly bytes: number }[];
  readonly worktrees: readonly { readonly agentId: string; readonly dir: string; readonly branch: string }[];
  readonly bytes: number;
}

const TURN_MS = 60_000;
const KEEP_MS = 30 * 86_400_000;
export const KEEP_BYTES = 2 * 1024 ** 3;

export function prunableLogs(
  space: HarnessWorkspace,
  { before_wall_ms, max_bytes }: PruneLimits,
): Prunable['logs'] {
  const over = allDrafts(space)
    .filter(isOver)
    .map((draft) => ({ draft, bytes: bytesOf(dirOf(space, draft)) }))
    .filter(({ bytes }) => bytes !== null)
    .map(({ draft, bytes }) => ({ agentId: draft.id, endedAt: draft.ended_wall_ms ?? 0, bytes: bytes ?? 0 }))
    .sort((a, b) => b.endedAt - a.endedAt);
  let sum = 0;
  return over.filter(({ endedAt, bytes }) => {
    sum += bytes;
    return endedAt < before_wall_ms || sum > max_bytes;
  });
}

const dirOf = ({ repo }: HarnessWorkspace, { session }: DraftState): string =>
  agentFiles(repo.state_dir, session).dir;

/** Null: there is nothing. */
function bytesOf(dir: string): number | null {
  if (!existsSync(dir)) return null;
  return namesIn(dir).reduce((sum, name) => sum + attempt(() => statSync(join(dir, name)).size, 0), 0);
}

/** Of agents that are over: nothing in them is not in what is checked out in the main checkout. */
export function prunableWorktrees(space: HarnessWorkspace): Prunable['worktrees'] {
  const git = gitIn(space);
  const head = ifSaid(git, space.root, 'rev-parse', 'HEAD');
  return keptWorktrees(space).flatMap(({ draft, worktree, is_there }) => {
    const { dir, branch } = worktree;
    const tip = is_there ? 'HEAD' : `refs/heads/${branch}`;
    const at = is_there ? dir : space.root;
    const isMerged = head !== null && ifSaid(git, at, 'merge-base', '--is-ancestor', tip, head) !== null;
    const isBranchMerged =
      ifSaid(git, space.root, 'rev-parse', '-q', '--verify', `refs/heads/${branch}`) === null ||
      (head !== null &&
        ifSaid(git, space.root, 'merge-base', '--is-ancestor', `refs/heads/${branch}`, head) !== null);
    const isClean = !is_there || attempt(() => openFiles(git, dir).open.length === 0, false);
    return isOver(draft) && isMerged && isBranchMerged && isClean ? [{ agentId: draft.id, dir, branch }] : [];
  });
}

export function prune(space: HarnessWorkspace & CallerWorkspace, { logs, worktrees }: Prunable): void {
  removeLogs(space, logs);
  if (worktrees.length === 0) return;
  inTurn(space, monotonic() + TURN_MS, () => {
    for (const { dir, branch } of worktrees) removeWhole(space.root, { dir, branch });
  });
}

function removeLogs(space: HarnessWorkspace, logs: Prunable['logs']): void {
  const drafts = new Map(allDrafts(space).map((draft) => [draft.id, draft]));
  for (const { agentId } of logs) {
    const draft = drafts.get(agentId);
    if (draft !== undefined) rmSync(dirOf(space, draft), { recursive: true, force: true });
  }
}

/** Once an hour at most, and only logs: whatever goes wrong is tried again next time. */
export function keepWithin(space: HarnessWorkspace): void {
  const dir = join(space.repo.state_dir, 'agents');
  const { wall_ms } = space.facts().now;
  if (!isSweepDue(dir, wall_ms)) return;
  noteSweep(dir, wall_ms);
  attempt(
    () =>
      removeLogs(space, prunableLogs(space, { before_wall_ms: wall_ms - KEEP_MS, max_bytes: KEEP_BYTES })),
    undefined,
  );
}
