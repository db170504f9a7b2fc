/** A message to a drafted agent waits until its client has received it; an ended agent is started again for it. */
import type { Said } from '../said.ts';
import { type Bounds, draftKey, draftsIn, type DraftState, isOver } from '../drafts.ts';
import { treeBelow } from '../tree-below.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { changesOver } from '../states.ts';
import type { AgentId, Facts, ProcessMark } from '../types.ts';
import type { Who } from './who.ts';
import { type DraftAnswer, drafterOf, noDraft, tighter } from './draft-begin.ts';
import { resumeDraft } from './go-on.ts';
import { record, type Step } from './transaction.ts';

export interface DraftSay {
  readonly id: AgentId;
  readonly said: Pick<Said, 'id' | 'text'>;
  readonly bounds: Bounds;
  /** The sender's process, which starts the agent's supervisor. */
  readonly supervisor: ProcessMark | null;
}

/** The most undelivered messages at a time. */
const UNHEARD_MAX = 20;

/** A drafted agent may write to those below it if its role lets it draft; all other senders act for people. */
export function mayTell(
  caller: DraftState | undefined,
  told: DraftState,
  all: readonly DraftState[],
): boolean {
  if (caller === undefined) return true;
  const below = treeBelow(all, caller.id).slice(1);
  return !mayOnlyLook(caller) && below.some(({ id }) => id === told.id);
}

export function sayTo(
  view: View,
  state: DraftState,
  event: DraftSay & { readonly who: Who },
  facts: Facts,
): Step<DraftAnswer> {
  const { who, said } = event;
  const all = draftsIn(view);
  const caller = drafterOf(view, who);
  if (!mayTell(caller, state, all)) return noDraft('access', state);
  if (caller !== undefined && (isOver(caller) || caller.kill !== null)) return noDraft('ended', state);
  if (!isOver(state) && state.kill !== null) return noDraft('leaving', state);
  const unheard = [...(state.unheard ?? []), { ...said, by: who.id }];
  if (unheard.length > UNHEARD_MAX) return noDraft('unheard', state, { limit: UNHEARD_MAX });
  const changes = changesOver(view);
  const told = { phase: 'say', by: who.id, message: said.id };
  const next: DraftState = { ...state, unheard };
  if (!isOver(state)) {
    changes.set(draftKey(state.id), next);
    record({ changes, agent: state, facts }, 'draft', told);
    return { records: changes.records, result: { draft: next, refused: null } };
  }
  const bounds = tighter(event.bounds, caller?.bounds);
  const again = resumeDraft({ changes, facts, next: view.next }, next, {
    ...event,
    bounds,
    all,
    how: 'said',
  });
  if ('why' in again) return noDraft(again.why, state, again);
  record({ changes, agent: state, facts }, 'draft', { ...told, dispatch: again.dispatch });
  return { records: changes.records, result: { draft: again, refused: null, goes_on: again } };
}
