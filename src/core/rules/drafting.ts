// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The life of a drafted agent: begun, supervised, running, asked to end, ended. */
import { asDraftState, draftKey, isOver, sessionAgent } from '../drafts.ts';
import type { DraftState, Ending } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, Facts, ProcessMark } from '../types.ts';
import type { Who } from './who.ts';
import { callingOnEnd } from './calling-on-end.ts';
import { beginDraft, type DraftAnswer, drafterOf, noDraft } from './draft-begin.ts';
import { endOrGoOn, hearing, unbegun } from './draft-end.ts';
import { type NextWord, requeue, startNext } from './draft-next.ts';
import { type DraftSay, sayTo } from './draft-say.ts';
import type { DraftBegin } from './new-draft.ts';
import { type Settle, settleWorktree } from './settle-worktree.ts';
import {
  isLateToBegin,
  isReplaced,
  type OfRun,
  type SetupWord,
  type SuperviseWord,
  type TakeOverWord,
  wasMaking,
} from './supervised.ts';
import { record, type Step } from './transaction.ts';

/** `who`: the drafter for `begin`, the killer for `kill`, the waiter for `lend`, otherwise the drafted agent itself. */
export type DraftEvent = { readonly type: 'draft'; readonly who: Who } & (
  | ({ readonly phase: 'begin' } & DraftBegin)
  | ({ readonly phase: 'next' } & NextWord)
  | ({ readonly phase: 'requeue'; readonly starts: number } & OfRun)
  | ({ readonly phase: 'supervise' } & SuperviseWord)
  | ({ readonly phase: 'setup' } & SetupWord)
  | ({ readonly phase: 'take_over' } & TakeOverWord)
  | ({ readonly phase: 'run' } & Begun)
  | ({ readonly phase: 'progress' } & News)
  | { readonly phase: 'lend'; readonly until_mono_ms: number | null; readonly since_mono_ms?: number }
  | ({ readonly phase: 'say' } & DraftSay)
  | ({ readonly phase: 'kill'; readonly id: AgentId; readonly reason: string } & Pick<Ending, 'on_end_by'>)
  | { readonly phase: 'on_end'; readonly of: ProcessMark; readonly by: ProcessMark | null }
  | ({ readonly phase: 'settle'; readonly id: AgentId } & Settle)
  | ({ readonly phase: 'exit' } & Ending & OfRun)
);

type Begun = OfRun & Pick<DraftState, 'client' | 'worktree'>;

type News = Required<Pick<DraftState, 'usage' | 'last_output' | 'doing' | 'heard_wall_ms'>> &
  Pick<DraftState, 'turned_mono_ms' | 'needs'> &
  Pick<Ending, 'heard' | 'has_session'> &
  OfRun;

export function drafting(view: View, event: DraftEvent, facts: Facts): Step<DraftAnswer> {
  const { who } = event;
  if (event.phase === 'begin') return beginDraft(view, event, facts);
  if (event.phase === 'next') return startNext(view, event, facts);
  if (event.phase === 'settle') return settleWorktree(view, event, facts);
  const id = 'id' in event ? event.id : event.phase === 'lend' ? sessionAgent(who.id) : who.id;
  const state = asDraftState(view.get(draftKey(id)));
  if (state === undefined) return noDraft('unknown', null);
  if (event.phase === 'kill' && mayOnlyLook(drafterOf(view, who))) return noDraft('access', state);
  if (event.phase === 'say') return sayTo(view, state, event, facts);
  if (event.phase === 'on_end') return callingOnEnd(view, state, event, facts);
  if (isOver(state)) return noDraft('ended', state);
  const late = isReplaced(state, event) ?? (event.phase === 'supervise' ? isLateToBegin(state, event) : null);
  if (late !== null) return late;
  if (event.phase === 'requeue') return requeue(view, state, event.starts, facts);
  if (event.phase === 'exit') return end(view, state, event, facts);
  if (event.phase === 'setup' && state.status !== 'starting') return noDraft('ended', state);
  if (event.phase === 'take_over' && !wasMaking(state)) return noDraft('ended', state);
  return note(view, state, event, facts);
}

type Noted = Exclude<
  DraftEvent,
  { readonly phase: 'begin' | 'next' | 'requeue' | 'say' | 'settle' | 'exit' | 'on_end' }
>;

function note(view: View, before: DraftState, event: Noted, facts: Facts): Step<DraftAnswer> {
  const { phase } = event;
  const state: DraftState = { ...before, ...changeOf(before, event, facts) };
  // A queued agent has no supervisor.
  if (phase === 'kill' && state.status === 'queued') {
    const reason = `${event.reason} (by ${event.who.id})`;
    const { on_end_by = null } = event;
    return end(view, state, { ...unbegun(state, { status: 'killed', reason }), on_end_by }, facts);
  }
  const told = phase === 'kill' ? { by: event.who.id, reason: event.reason } : {};
  const changes = changesOver(view);
  changes.set(draftKey(state.id), state);
  record({ changes, agent: state, facts }, 'draft', { ...told, phase });
  return stepWith(changes, state);
}

function changeOf(state: DraftState, event: Noted, { now }: Facts): Partial<DraftState> {
  if (event.phase === 'supervise') {
    const { queued } = state;
    return {
      supervisor: event.supervisor,
      ...(queued === undefined ? {} : { queued: { ...queued, is_claimed: false } }),
    };
  }
  if (event.phase === 'take_over') return { supervisor: event.supervisor };
  if (event.phase === 'setup') return { worktree: event.worktree, doing: event.doing };
  if (event.phase === 'run') return { status: 'running', client: event.client, worktree: event.worktree };
  if (event.phase === 'lend') {
    const { until_mono_ms, since_mono_ms = now.mono_ms } = event;
    const { lends } = state;
    // Of several waits, the newest counts: the older ones are background commands.
    const since = Math.max(since_mono_ms, lends?.boot === now.boot ? lends.since_mono_ms : 0);
    return {
      lends: until_mono_ms === null ? null : { until_mono_ms, since_mono_ms: since, boot: now.boot },
    };
  }
  if (event.phase === 'progress') {
    const { usage, last_output, doing, heard_wall_ms, turned_mono_ms = null, needs = null } = event;
    return { usage, last_output, doing, heard_wall_ms, turned_mono_ms, needs, ...hearing(state, event) };
  }
  return { kill: state.kill ?? { by: event.who.id, reason: event.reason } };
}

function end(view: View, state: DraftState, ending: Ending, facts: Facts): Step<DraftAnswer> {
  const changes = changesOver(view);
  const ended = endOrGoOn({ changes, facts, next: view.next }, state, ending);
  return { records: changes.records, result: { refused: null, ...ended } };
}

const stepWith = ({ records }: Changes, draft: DraftState): Step<DraftAnswer> => ({
  records,
  result: { draft, refused: null },
});
