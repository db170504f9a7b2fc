// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The life of a drafted agent: begun, looked after, running, asked to end, over. */
import { asDraftState, draftKey, isOver } from '../drafts.ts';
import type { DraftState, Ending, WorktreeState } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, Facts, ProcessMark } from '../types.ts';
import { letGo, type Who } from './agent.ts';
import { beginDraft, type DraftAnswer, type DraftBegin, drafterOf, noDraft } from './draft-begin.ts';
import { noticeOfEnd } from './end-notice.ts';
import { record, type Step } from './transaction.ts';

/** `who`: the drafter for `begin`, the killer for `kill`, else the drafted agent itself. */
export type DraftEvent = { readonly type: 'draft'; readonly who: Who } & (
  | ({ readonly phase: 'begin' } & DraftBegin)
  | { readonly phase: 'supervise'; readonly supervisor: ProcessMark | null }
  | { readonly phase: 'run'; readonly client: ProcessMark | null; readonly worktree: WorktreeState | null }
  | ({ readonly phase: 'progress' } & News)
  | { readonly phase: 'kill'; readonly id: AgentId; readonly reason: string }
  | ({ readonly phase: 'exit' } & Ending)
);

type News = Required<Pick<DraftState, 'usage' | 'last_output' | 'doing' | 'heard_wall_ms'>>;

type EventOf<P extends DraftEvent['phase']> = Extract<DraftEvent, { readonly phase: P }>;

export function drafting(view: View, event: DraftEvent, facts: Facts): Step<DraftAnswer> {
  const { who } = event;
  const id = event.phase === 'begin' ? event.agent.id : event.phase === 'kill' ? event.id : who.id;
  if (event.phase === 'begin') return beginDraft(view, event, facts);
  const state = asDraftState(view.get(draftKey(id)));
  if (state === undefined) return noDraft('unknown', null);
  if (event.phase === 'kill' && mayOnlyLook(drafterOf(view, who))) return noDraft('access', state);
  if (isOver(state)) return noDraft('ended', state);
  return event.phase === 'exit' ? exit(view, state, event, facts) : note(view, state, event, facts);
}

type Noted = EventOf<'supervise' | 'run' | 'progress' | 'kill'>;

function note(view: View, before: DraftState, event: Noted, facts: Facts): Step<DraftAnswer> {
  const { phase } = event;
  const state: DraftState = { ...before, ...changeOf(before, event) };
  const told = phase === 'kill' ? { by: event.who.id, reason: event.reason } : {};
  const changes = changesOver(view);
  changes.set(draftKey(state.id), state);
  record({ changes, agent: state, facts }, 'draft', { ...told, phase });
  return stepWith(changes, state);
}

function changeOf(state: DraftState, event: Noted): Partial<DraftState> {
  if (event.phase === 'supervise') return { supervisor: event.supervisor };
  if (event.phase === 'run') return { status: 'running', client: event.client, worktree: event.worktree };
  if (event.phase === 'progress') {
    const { usage, last_output, doing, heard_wall_ms } = event;
    return { usage, last_output, doing, heard_wall_ms };
  }
  return { kill: state.kill ?? { by: event.who.id, reason: event.reason } };
}

/** Its leases and waits end with it, whatever its client could still say. */
function exit(view: View, state: DraftState, event: EventOf<'exit'>, facts: Facts): Step<DraftAnswer> {
  const { status, reason, exit_code, signal, last_output, result, usage, worktree, needs, api_error } = event;
  const next: DraftState = {
    ...state,
    ...{ status, reason, exit_code, signal, last_output, result, usage, needs, api_error },
    doing: null,
    worktree: worktree ?? state.worktree,
    ended_wall_ms: facts.now.wall_ms,
  };
  const changes = changesOver(view);
  const named = { changes, agent: state, facts };
  const agent = changes.agent(state.id);
  if (agent !== undefined) {
    changes.setAgent({ ...letGo(changes, agent), live: false, background: [] });
    record(named, 'agent.leave', { reason: `exit:${status}` });
  }
  changes.set(draftKey(state.id), next);
  record(named, 'exit', { status, reason, exit_code, signal, last_output });
  if (agent !== undefined) noticeOfEnd({ changes, agent, facts, next: view.next }, next);
  return stepWith(changes, next);
}

const stepWith = ({ records }: Changes, draft: DraftState): Step<DraftAnswer> => ({
  records,
  result: { draft, refused: null },
});
