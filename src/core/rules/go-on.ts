/** An ended drafted agent is resumed: the same session, with what is left of all its limits. */
import { judgeQueued, QUEUE, QUEUED_MAX, queueIn } from '../draft-queue.ts';
import { judgeShare } from '../draft-share.ts';
import type { DraftRefused, Verdict } from '../draft-verdict.ts';
import { type Bounds, draftKey, type DraftState } from '../drafts.ts';
import type { Retry } from '../api-error.ts';
import { retryOf, waitToRetry } from '../draft-retry.ts';
import { freeFor } from '../places-of-drafts.ts';
import { usedUp } from '../resumable.ts';
import { runAge_ms, runBegan } from '../run-age.ts';
import type { Said } from '../said.ts';
import type { Facts, ProcessMark } from '../types.ts';
import { claimedBy } from './new-draft.ts';
import { presentIn } from './opened.ts';
import type { Granting } from './transaction.ts';

/** How it is resumed, and among which drafts. */
interface Anew {
  /** `said`: by the sender of a message, if there is a place; `at_once`: by its supervisor, in the place it has. */
  readonly how: 'said' | 'at_once' | 'queued';
  readonly supervisor: ProcessMark | null;
  readonly bounds: Bounds;
  /** All drafts, as they are now. */
  readonly all: readonly DraftState[];
  readonly retry?: Retry;
}

/** On return it is an agent of the ledger again, with its state in the changes; it may be queued. */
export function resumeDraft(
  { changes, facts, next }: Pick<Granting, 'changes' | 'facts' | 'next'>,
  over: DraftState,
  anew: Anew,
): DraftState | DraftRefused {
  const spent = usedUp(over);
  if (spent !== null) return spent;
  const asked = askedAnew(over, anew, { facts, next });
  const verdict = judged(asked, anew, facts);
  if ('refused' in verdict) return verdict.refused;
  const queue = queueIn(changes.get(QUEUE));
  if ('waits' in verdict && anew.how === 'said' && queue.length >= QUEUED_MAX)
    return { why: 'queue', limit: QUEUED_MAX };
  const state = 'waits' in verdict ? asked : begunAnew(asked, anew, verdict.share_usd);
  const { id, session, drafted_by } = over;
  const who = { id, kind: 'session', parent: null, session, proc: null } as const;
  changes.setAgent({ ...presentIn(changes, who, facts, next), drafted_by });
  changes.set(draftKey(id), state);
  if ('waits' in verdict) changes.set(QUEUE, { agents: [...queue, id] });
  return state;
}

/** Its state while it is queued. */
function askedAnew(
  over: DraftState,
  { supervisor, bounds, retry }: Anew,
  { facts: { now }, next }: Pick<Granting, 'facts' | 'next'>,
): DraftState {
  const { queued, dispatch = 1, unheard } = over;
  return {
    ...over,
    ...({ status: 'queued', share_usd: null, supervisor: null, client: null, bounds } as const),
    queued: {
      since_wall_ms: now.wall_ms,
      ticket: next,
      ...{ priority: queued?.priority ?? 0, after: [], anyway: false },
      // What it is started from is still on that machine.
      machine: queued === undefined ? (supervisor?.machine ?? null) : queued.machine,
      ...{ starts: queued?.starts ?? 0, is_claimed: false },
    },
    dispatch: dispatch + 1,
    ...{ begun_wall_ms: now.wall_ms, started_mono_ms: now.mono_ms, ended_wall_ms: null },
    ...{ kill: null, reason: null, exit_code: null, signal: null, api_error: null },
    // A retry has the same work to do, so a person must still allow what the run before it was refused.
    needs: retry === undefined ? null : (over.needs ?? null),
    ...{ lends: null, turned_mono_ms: null, on_end_by: null },
    doing: retry === undefined ? null : waitToRetry(retry, over),
    retry: retry ?? null,
    unheard: given(unheard),
  };
}

export const given = (unheard: readonly Said[] = []): readonly Said[] =>
  unheard.map((said) => ({ ...said, is_given: true as const }));

function judged(asked: DraftState, { how, all }: Anew, { now }: Facts): Verdict {
  const drafts = { all: [...all.filter(({ id }) => id !== asked.id), asked], now };
  const verdict = judgeQueued(asked, drafts);
  if ('refused' in verdict || how === 'said') return verdict;
  const free = Math.max(0, freeFor(asked, drafts));
  const share = judgeShare(asked, drafts, free);
  return how === 'at_once' || 'refused' in share
    ? share
    : { waits: { why: 'place', limit: asked.bounds?.running ?? 0 } };
}

/** A supervisor simply continues; the sender of a message has yet to start one. */
function begunAnew(asked: DraftState, { how, supervisor }: Anew, share_usd: number | null): DraftState {
  if (how === 'said') return claimedBy(asked, supervisor, share_usd);
  return { ...asked, status: 'starting', share_usd, supervisor };
}

/** Whether it continues after ending on its own: a message is undelivered, or its API may work later. */
export function wouldGoOn(over: DraftState): { readonly retry?: Retry } | null {
  const { status, unheard = [] } = over;
  if (status === 'completed') return unheard.some(({ is_given }) => is_given !== true) ? {} : null;
  const retry = status === 'failed' ? retryOf(over) : null;
  return retry === null ? null : { retry };
}

/** Excludes the set-up of its checkout and any waiting time, and what passed after a lost agent was last at work. */
export function ranUntil(state: DraftState, { now }: Facts, at_work_wall_ms = Infinity): number {
  const { ran_ms = 0, worktree, retry } = state;
  if (state.status === 'queued') return ran_ms;
  const age_ms = Math.min(runAge_ms(state, now), at_work_wall_ms - runBegan(state));
  return ran_ms + Math.max(0, age_ms - (worktree?.setup_ms ?? 0) - (retry?.wait_ms ?? 0));
}
