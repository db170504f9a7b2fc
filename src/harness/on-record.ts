/** What a supervisor reports to the ledger about its agent, and what it asks the ledger. */
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import { waitKey } from '../core/keys.ts';
import { asWaitState } from '../core/states.ts';
import type { AgentId, Now } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';
import { consult } from '../store/transact.ts';
import { doingOf } from './doing.ts';
import { lastOutput, needsOf } from './ending.ts';
import type { Progress } from './progress.ts';
import { waitsOnRecord } from './silence.ts';
import type { HarnessWorkspace } from './workspace.ts';

export const isOnRecordAsWaiting = (space: HarnessWorkspace, id: AgentId): boolean =>
  consult(space.store, (view) => waitsOnRecord(view, id, space.facts()));

export const beginning = (pid: number, worktree: WorktreeState | null) => ({
  client: markProcess(pid),
  worktree,
});

/** When a client last reported anything, and when its model last answered. */
export interface HeardAt extends Pick<Now, 'wall_ms' | 'mono_ms'> {
  readonly turned_mono_ms: number;
}

export const heardAt = ({ wall_ms, mono_ms }: Now, before: HeardAt, has_turned: boolean): HeardAt => ({
  ...{ wall_ms, mono_ms },
  turned_mono_ms: has_turned ? mono_ms : before.turned_mono_ms,
});

export const toldOf = (at: Progress, { wall_ms, turned_mono_ms }: HeardAt) => ({
  usage: at.usage,
  last_output: lastOutput(at, { stderr: '' }),
  doing: doingOf(at),
  needs: needsOf(at),
  heard_wall_ms: wall_ms,
  turned_mono_ms: at.is_idle ? null : turned_mono_ms,
  heard: at.heard,
  has_session: at.cwd !== '',
});

/** `deadlock.resolve: "cancel"`: the verdict stays next to the victim's waits until its cycle is gone. */
export function toBeCancelled({ store }: HarnessWorkspace, id: AgentId): DraftState['kill'] {
  const key = waitKey(id);
  const { verdicts = [] } = asWaitState(store.look([key]).get(key));
  return verdicts.some(({ resolve }) => resolve === 'cancel') ? { by: 'guard', reason: 'deadlock' } : null;
}
