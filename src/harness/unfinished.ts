/** A worktree that was never completed. Its agent never began, so it contains no one's work, and the process that finds it removes it. */
import { existsSync, rmSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import { isClaimed } from '../core/places-of-drafts.ts';
import { runMark } from '../core/run-mark.ts';
import { sameProcess } from '../core/same-process.ts';
import type { ProcessMark } from '../core/types.ts';
import { monotonic } from '../repo/clock.ts';
import { markProcess } from '../repo/process.ts';
import { ifSaid } from '../worktrees/git.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { gitIn } from './kept-worktree.ts';
import { type HarnessWorkspace, markHere, whoOf } from './workspace.ts';
import { reportWorktree } from './worktree.ts';

const TURN_MS = 60_000;

/**
 * If several processes find the supervisor dead, one cleans up: the others might be so late that the agent already has its
 * next worktree in the same place. `null` if another process does it, or has done it.
 */
export function takenOver(space: HarnessWorkspace, found: DraftState): DraftState | null {
  const { id, session } = found;
  const event = { type: 'draft', phase: 'take_over', who: whoOf(id, session), of: runMark(found) } as const;
  const { draft, refused } = space.run({ ...event, supervisor: markProcess(process.pid) });
  return refused === null ? draft : null;
}

/**
 * This process took it over, or out of the queue, but could not record the result. It does either without a pause, so whatever
 * it finds later is half done.
 */
export function isHalfDone(
  space: Pick<HarnessWorkspace, 'looks_after' | 'facts'>,
  draft: DraftState,
): boolean {
  const { id, supervisor, worktree } = draft;
  if (worktree?.is_unfinished !== true && !isClaimed(draft)) return false;
  return (
    id !== space.looks_after && supervisor?.pid === process.pid && isThisProcess(markHere(space, supervisor))
  );
}

/** In another container, or on another machine of a fleet, a live process may have the same pid. */
function isThisProcess(mark: ProcessMark): boolean {
  const own = markProcess(process.pid);
  return own !== null && sameProcess(mark, own);
}

/** Removes checkout and branch; `kept` if that fails. */
export function removeUnfinished(
  space: HarnessWorkspace,
  { id, session }: Pick<DraftState, 'id' | 'session'>,
  made: WorktreeState,
): WorktreeState {
  const { root } = space;
  const { dir, branch, base, commits, notes = [] } = made;
  const git = gitIn(space);
  const isThere = (): boolean =>
    ifSaid(git, root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`) !== null;
  attempt(
    () =>
      inTurn({ ...space, who: whoOf(id, session) }, monotonic() + TURN_MS, () => {
        rmSync(dir, { recursive: true, force: true });
        // A worktree that git had not finished is locked, so removing it takes two --force.
        ifSaid(git, root, 'worktree', 'remove', '--force', '--force', dir);
        ifSaid(git, root, 'worktree', 'prune');
        if (isThere()) git(root, 'branch', '-q', '-D', branch);
      }),
    undefined,
  );
  const is_left = existsSync(dir) || isThere();
  return is_left ? made : { dir, branch, base, commits, notes, changed: [], kept: false };
}

/** What exists of an agent's checkout if its client could not be started, or never was. */
export function whatIsLeft(space: HarnessWorkspace, draft: DraftState): WorktreeState | null {
  const { worktree } = draft;
  if (worktree?.kept !== true) return worktree;
  return worktree.is_unfinished === true
    ? removeUnfinished(space, draft, worktree)
    : reportWorktree(space.root, worktree);
}
