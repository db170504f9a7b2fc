/**
 * Identifies one run of a drafted agent and its supervisor at that time. What a supervisor writes, or a process that found one
 * dead, counts only for that run: another supervisor may have taken its place in the meantime. Pure.
 */
import type { DraftState } from './drafts.ts';
import { sameProcess } from './same-process.ts';

export interface RunMark extends Pick<DraftState, 'supervisor'> {
  /** How often it had been taken out of the queue (`queued.starts`); `null` for a record from before there was a queue. */
  readonly starts: number | null;
  readonly dispatch: number;
}

/** @param draft as read, or as returned by the supervisor's own transaction */
export const runMark = ({ supervisor, queued, dispatch = 1 }: DraftState): RunMark => ({
  supervisor,
  starts: queued?.starts ?? null,
  dispatch,
});

/** Whether no other run or supervisor has taken its place since. */
export function isSameRun(draft: DraftState, { supervisor, starts, dispatch }: RunMark): boolean {
  const now = runMark(draft);
  return now.starts === starts && now.dispatch === dispatch && isSameSupervisor(draft, supervisor);
}

/** If no process is recorded (some kernels name none), the number of starts decides alone. A queued agent has no supervisor. */
function isSameSupervisor({ status, supervisor }: DraftState, of: DraftState['supervisor']): boolean {
  if (supervisor === null) return of === null || status !== 'queued';
  return of !== null && sameProcess(supervisor, of);
}
