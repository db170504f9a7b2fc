/** What a supervisor tells the ledger of its agent, and what it asks it. */
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import { waitKey } from '../core/keys.ts';
import { asWaitState } from '../core/states.ts';
import type { AgentId } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';
import { consult } from '../store/transact.ts';
import { doingOf } from './doing.ts';
import { lastOutput } from './ending.ts';
import type { Progress } from './progress.ts';
import { waitsOnRecord } from './silence.ts';
import type { HarnessWorkspace } from './workspace.ts';

export const isOnRecordAsWaiting = (space: HarnessWorkspace, id: AgentId): boolean =>
  consult(space.store, (view) => waitsOnRecord(view, id, space.facts()));

export const beginning = (pid: number, worktree: WorktreeState | null) => ({
  client: markProcess(pid),
  worktree,
});

export const toldOf = (at: Progress, heard_wall_ms: number) => ({
  usage: at.usage,
  last_output: lastOutput(at, { stderr: '' }),
  doing: doingOf(at),
  heard_wall_ms,
  heard: at.heard,
  has_session: at.cwd !== '',
});

/** `deadlock.resolve: "cancel"`: the verdict stands beside the victim's waits until its circle is gone. */
export function toBeCancelled({ store }: HarnessWorkspace, id: AgentId): DraftState['kill'] {
  const key = waitKey(id);
  const { verdicts = [] } = asWaitState(store.look([key]).get(key));
  return verdicts.some(({ resolve }) => resolve === 'cancel') ? { by: 'guard', reason: 'deadlock' } : null;
}
