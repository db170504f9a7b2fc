/** A drafted agent that is over is taken up again: the same session, with what is left of all that it may use. */
import { usageOf } from '../agent-limits.ts';
import { moneyOf, shareOf } from '../budget.ts';
import { type Bounds, draftKey, type DraftState, treeBelow } from '../drafts.ts';
import type { Retry } from '../api-error.ts';
import { retryOf, waitToRetry } from '../draft-retry.ts';
import type { Facts, Now, ProcessMark } from '../types.ts';
import { type DraftRefused, takesPlace } from '../draft-queue.ts';
import { presentIn } from './opened.ts';
import type { Granting } from './transaction.ts';

/** Who looks after it then, and among whom. */
interface Anew {
  readonly supervisor: ProcessMark | null;
  readonly bounds: Bounds;
  /** Everybody, as they are now. */
  readonly all: readonly DraftState[];
  readonly retry?: Retry;
}

/** It is an agent of the ledger again when this returns, and its state stands in the changes. */
export function resumeDraft(
  { changes, facts, next }: Pick<Granting, 'changes' | 'facts' | 'next'>,
  over: DraftState,
  anew: Anew,
): DraftState | DraftRefused {
  const share_usd = shareLeft(over, anew, facts.now);
  if (share_usd !== null && typeof share_usd === 'object') return share_usd;
  const { id, session, unheard = [], drafted_by, dispatch = 1 } = over;
  const { now } = facts;
  const state: DraftState = {
    ...over,
    ...{ status: 'starting', share_usd, supervisor: anew.supervisor, client: null },
    ...{
      dispatch: dispatch + 1,
      begun_wall_ms: now.wall_ms,
      started_mono_ms: now.mono_ms,
      ended_wall_ms: null,
    },
    ...{ kill: null, reason: null, exit_code: null, signal: null, needs: null, api_error: null },
    lends: null,
    doing: anew.retry === undefined ? null : waitToRetry(anew.retry, over),
    retry: anew.retry ?? null,
    unheard: unheard.map((said) => ({ ...said, is_given: true as const })),
  };
  const who = { id, kind: 'session', parent: null, session, proc: null } as const;
  changes.setAgent({ ...presentIn(changes, who, facts, next), drafted_by });
  changes.set(draftKey(id), state);
  return state;
}

/** Of all its runs together; null: without limit. */
function shareLeft(over: DraftState, { bounds, all }: Anew, now: Now): number | null | DraftRefused {
  const { id, limits, usage, access, parent, ran_ms = 0 } = over;
  const others = all.filter((draft) => draft.id !== id);
  const free = bounds.running - others.filter((draft) => takesPlace(draft, now)).length - 1;
  if (free < 0) return { why: 'running', limit: bounds.running };
  if (limits.turns !== null && usage.turns >= limits.turns) return { why: 'turns', limit: limits.turns };
  if (ran_ms >= limits.wall_ms) return { why: 'wall', limit: limits.wall_ms / 1000 };
  const own_usd = limits.cost_usd === null ? null : limits.cost_usd - usage.cost_usd;
  if (own_usd !== null && own_usd <= 0) return { why: 'cost', limit: limits.cost_usd };
  const root = others.find((draft) => draft.id === over.root) ?? over;
  const tree = treeBelow([...others, over], root.id);
  const { tree_turns, tree_cost_usd } = root.limits;
  if (tree_turns !== null && usageOf(tree).turns >= tree_turns) return { why: 'budget', limit: null };
  if (tree_cost_usd === null) return limits.cost_usd;
  const money = moneyOf(tree, tree_cost_usd);
  const is_alone = parent === null && (access === 'readonly' || bounds.depth === 1);
  const share_usd = shareOf(money, own_usd, is_alone ? 0 : free);
  return share_usd === null ? { why: 'budget', limit: null, money } : usage.cost_usd + share_usd;
}

/** After its end by itself: somebody said something that it has not heard, or its API may work later. */
export function wouldGoOn(over: DraftState): { readonly retry?: Retry } | null {
  const { status, unheard = [] } = over;
  if (status === 'completed') return unheard.some(({ is_given }) => is_given !== true) ? {} : null;
  const retry = status === 'failed' ? retryOf(over) : null;
  return retry === null ? null : { retry };
}

/** Without setting up its checkout, and whatever it waited for. */
export function ranUntil(state: DraftState, { now }: Facts): number {
  const { supervisor, started_mono_ms, started_wall_ms, begun_wall_ms = started_wall_ms, worktree } = state;
  const is_comparable = started_mono_ms !== undefined && supervisor?.boot === now.boot;
  const since_ms = is_comparable ? now.mono_ms - started_mono_ms : now.wall_ms - begun_wall_ms;
  return (state.ran_ms ?? 0) + Math.max(0, since_ms - (worktree?.setup_ms ?? 0));
}
