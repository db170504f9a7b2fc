/** The end of a drafted agent: its leases and waits end with it, whatever its client might still report. */
import { QUEUE, queueIn } from '../draft-queue.ts';
import { DEFAULT_BOUNDS } from '../agent-limits.ts';
import { draftKey, draftsIn, type DraftState, type Ending } from '../drafts.ts';
import type { View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { letGo } from './agent.ts';
import { noticeOfEnd } from './end-notice.ts';
import { ranUntil, resumeDraft, wouldGoOn } from './go-on.ts';
import { record } from './transaction.ts';

export interface Ended {
  readonly changes: Changes;
  readonly facts: Facts;
  readonly next: View['next'];
}

export const endDraft = (tx: Ended, before: DraftState, ending: Ending): DraftState =>
  endOrGoOn(tx, before, ending).draft;

/** If the agent continues immediately, its awaiters do not see it as ended. */
export function endOrGoOn(
  { changes, facts, next }: Ended,
  before: DraftState,
  ending: Ending,
): { readonly draft: DraftState; readonly goes_on?: DraftState } {
  const { status, reason, exit_code, signal, last_output, worktree } = ending;
  const { result, usage, needs, api_error } = ending;
  const state: DraftState = {
    ...before,
    ...{ status, reason, exit_code, signal, last_output, usage, needs, api_error },
    // The newest report, from any run.
    result: result ?? before.result,
    ...hearing(before, ending),
    ran_ms: ranUntil(before, facts, ending.at_work_wall_ms),
    doing: null,
    worktree: worktree ?? before.worktree,
    ended_wall_ms: facts.now.wall_ms,
    ...(ending.on_end_by == null ? {} : { on_end_by: ending.on_end_by }),
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
  const { may_go_on: how } = ending;
  const anew = how !== undefined && before.kill === null ? wouldGoOn(state) : null;
  if (how !== undefined && anew !== null) {
    const { supervisor, bounds = DEFAULT_BOUNDS } = before;
    const around = { how, supervisor, bounds, all: draftsIn(changes.view) };
    const goes_on = resumeDraft({ changes, facts, next }, state, { ...around, ...anew });
    if (!('why' in goes_on)) {
      record(named, 'draft', { phase: 'again', dispatch: goes_on.dispatch });
      return { draft: state, goes_on };
    }
  }
  if (agent !== undefined) noticeOfEnd({ changes, agent, facts, next }, state);
  return { draft: state };
}

/** Updates what it has received, from its client's reports. */
export function hearing(
  { unheard, has_session }: DraftState,
  told: Pick<Ending, 'heard' | 'has_session'>,
): Partial<DraftState> {
  const { heard = [] } = told;
  return {
    ...(unheard === undefined ? {} : { unheard: unheard.filter(({ id }) => !heard.includes(id)) }),
    ...(told.has_session === true || has_session === true ? { has_session: true } : {}),
  };
}

export function takenOut(changes: Changes, id: AgentId): void {
  const agents = queueIn(changes.get(QUEUE)).filter((one) => one !== id);
  changes.set(QUEUE, agents.length === 0 ? null : { agents });
}

/** The ending of an agent whose client never ran. */
export const unbegun = (
  { usage }: DraftState,
  { status, reason }: Pick<Ending, 'status' | 'reason'>,
): Ending => ({
  ...{ status, reason, usage },
  ...{ exit_code: null, signal: null, last_output: '', result: null, worktree: null },
  ...{ needs: null, api_error: null },
});
