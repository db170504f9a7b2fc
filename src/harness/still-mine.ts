/**
 * Whether a supervisor is still the recorded one. One that was stopped for long enough is taken for dead, and may find another in
 * its place when it wakes up. It then ends what it started, and leaves worktree, log and record to the other one.
 */
import { attempt } from '../core/attempt.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import { GuardError, isGuardError } from '../core/error.ts';
import { isSameRun, type RunMark, runMark } from '../core/run-mark.ts';
import { refusal } from './refusal.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';

/** Another process supervises it, or has recorded its end. */
export const isTakenFrom = (now: DraftState, of: RunMark): boolean => isOver(now) || !isSameRun(now, of);

/** If the ledger cannot be read, it does nothing: the next transaction is refused. @throws GuardError GUARD_ERR_AGENT */
export function requireMine(space: Pick<HarnessWorkspace, 'store'>, id: string, of: RunMark): void {
  const now = attempt(() => draftOf(space, id), null);
  if (now !== null && isTakenFrom(now, of)) throw takenBy(now);
}

export function takenBy(now: DraftState): GuardError {
  const { id: agent, status } = now;
  if (!isOver(now)) return refusal({ why: 'replaced', limit: null, agent, on_record: runMark(now) });
  const facts = { why: 'ended', agent, status };
  return new GuardError(
    'GUARD_ERR_AGENT',
    `The end of ${agent} is already recorded.`,
    'guard agent list --all shows it.',
    facts,
  );
}

export const isTaken = (error: unknown): error is GuardError =>
  isGuardError(error) && (error.facts['why'] === 'replaced' || error.facts['why'] === 'ended');
