/** The end of a drafted agent: its leases and waits end with it, whatever its client could still say. */
import { QUEUE, queueIn } from '../draft-queue.ts';
import { draftKey, type DraftState, type Ending } from '../drafts.ts';
import type { View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { letGo } from './agent.ts';
import { noticeOfEnd } from './end-notice.ts';
import { record } from './transaction.ts';

export interface Ended {
  readonly changes: Changes;
  readonly facts: Facts;
  readonly next: View['next'];
}

export function endDraft({ changes, facts, next }: Ended, before: DraftState, ending: Ending): DraftState {
  const { status, reason, exit_code, signal, last_output, worktree } = ending;
  const { result, usage, needs, api_error } = ending;
  const state: DraftState = {
    ...before,
    ...{ status, reason, exit_code, signal, last_output, result, usage, needs, api_error },
    doing: null,
    worktree: worktree ?? before.worktree,
    ended_wall_ms: facts.now.wall_ms,
  };
  const named = { changes, agent: state, facts };
  const agent = changes.agent(state.id);
  if (agent !== undefined) {
    changes.setAgent({ ...letGo(changes, agent), live: false, background: [] });
    record(named, 'agent.leave', { reason: `exit:${status}` });
  }
  changes.set(draftKey(state.id), state);
  if (before.status === 'queued') takenOut(changes, state.id);
  record(named, 'exit', { status, reason, exit_code, signal, last_output });
  if (agent !== undefined) noticeOfEnd({ changes, agent, facts, next }, state);
  return state;
}

export function takenOut(changes: Changes, id: AgentId): void {
  const agents = queueIn(changes.get(QUEUE)).filter((one) => one !== id);
  changes.set(QUEUE, agents.length === 0 ? null : { agents });
}

/** Of one whose client never ran. */
export const unbegun = (
  { usage }: DraftState,
  { status, reason }: Pick<Ending, 'status' | 'reason'>,
): Ending => ({
  ...{ status, reason, usage },
  ...{ exit_code: null, signal: null, last_output: '', result: null, worktree: null },
  ...{ needs: null, api_error: null },
});
