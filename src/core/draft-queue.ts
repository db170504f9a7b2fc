/** Drafted agents that wait to be started: in which order, for what, and when one never will be. Pure. */
import { usageOf } from './agent-limits.ts';
import { type Money, moneyOf } from './budget.ts';
import { type DraftState, isOver, treeBelow } from './drafts.ts';
import type { Queued } from './in-queue.ts';
import type { Json, Key } from './ledger.ts';
import { freeFor, shareFor, takesPlace } from './places-of-drafts.ts';
import type { AgentId, Now } from './types.ts';

/** Who is queued, in one state: whoever ends looks at nothing else where nobody is. */
export const QUEUE: Key = 'queue:';

/** So many agents may be queued in a repository. */
export const QUEUED_MAX = 200;

/** A step of priority counts as so long a wait: so everybody's turn comes, however much is drafted with a higher one. */
const STEP_MS = 3_600_000;
export const PRIORITY_MAX = 9;

export const queueIn = (state: Json | undefined): readonly AgentId[] =>
  (state as { readonly agents?: readonly AgentId[] } | null | undefined)?.agents ?? [];

/**
 * Why an agent is not drafted, or never started. `access`: its role may only look. `ended`: the drafter, or the agent, is over. Of one that
 * is to go on: `turns`, `wall`, `cost`, its own are used up; `leaving`, it is being ended; `unheard`, too much was said to it.
 */
export type DraftRefusal =
  | ('access' | 'depth' | 'queue' | 'budget' | 'after' | 'planned' | 'ended' | 'unknown')
  | ('turns' | 'wall' | 'cost' | 'leaving' | 'unheard');

export interface DraftRefused {
  readonly why: DraftRefusal;
  readonly limit: number | null;
  /** Of a tree that has none to give. */
  readonly money?: Money;
  /** The agent that it was to come after; the one that has its place in a plan. */
  readonly agent?: AgentId;
}

/** What keeps a queued agent from starting. */
export type WaitsFor =
  | { readonly why: 'after'; readonly agents: readonly AgentId[] }
  | { readonly why: 'place'; readonly limit: number }
  | { readonly why: 'share'; readonly money: Money };

export type Verdict =
  { readonly share_usd: number | null } | { readonly waits: WaitsFor } | { readonly refused: DraftRefused };

/** Everything that the places and the money of agents are judged by. */
export interface Drafts {
  /** Every one that is on record, whoever is judged among them. */
  readonly all: readonly DraftState[];
  readonly now: Now;
}

export function judgeQueued(draft: DraftState, drafts: Drafts): Verdict {
  const missed = unmetBy(draft, drafts.all);
  if (missed.failed !== undefined) return { refused: { why: 'after', limit: null, agent: missed.failed } };
  const { tree, tree_turns } = treeOf(draft, drafts.all);
  if (tree_turns !== null && usageOf(tree).turns >= tree_turns)
    return { refused: { why: 'budget', limit: null } };
  if (missed.open.length > 0) return { waits: { why: 'after', agents: missed.open } };
  const free = freeFor(draft, drafts);
  if (free < 0) return { waits: { why: 'place', limit: draft.bounds?.running ?? 0 } };
  return judgeShare(draft, drafts, free);
}

/** Of one that has its place. @param free how many others could start beside it */
export function judgeShare(draft: DraftState, { all, now }: Drafts, free: number): Verdict {
  const { tree, tree_cost_usd } = treeOf(draft, all);
  if (tree_cost_usd === null) return { share_usd: draft.limits.cost_usd };
  const money = moneyOf(tree, tree_cost_usd);
  const share_usd = shareFor(draft, money, free);
  if (share_usd !== null) return { share_usd };
  // Nobody is left who could give some back: who waits for it would wait for ever.
  return tree.some((one) => takesPlace(one, now))
    ? { waits: { why: 'share', money } }
    : { refused: { why: 'budget', limit: null, money } };
}

/** Everybody in its tree, and what the root of that allows; of a root that is not on record any more: its own word. */
function treeOf(draft: DraftState, all: readonly DraftState[]) {
  const root = all.find(({ id }) => id === draft.root);
  const { tree_turns, tree_cost_usd } = root?.limits ?? draft.limits;
  return { tree: root === undefined ? [] : treeBelow(all, root.id), tree_turns, tree_cost_usd };
}

/** What it is to come after: what is not over, and the first that did not complete. */
function unmetBy(
  { queued }: DraftState,
  all: readonly DraftState[],
): { readonly open: readonly AgentId[]; readonly failed?: AgentId } {
  const { after = [], anyway = false } = queued ?? {};
  const before = after.map((id) => ({ id, draft: all.find((one) => one.id === id) }));
  const open = before.flatMap(({ id, draft }) => (draft !== undefined && !isOver(draft) ? [id] : []));
  // Of one that is not on record any more nobody can say that it completed.
  const failed = before.find(
    ({ draft }) => draft === undefined || (isOver(draft) && draft.status !== 'completed'),
  );
  return anyway || failed === undefined ? { open } : { open, failed: failed.id };
}

const sinceOf = ({ since_wall_ms, priority }: Queued): number => since_wall_ms - priority * STEP_MS;

/** As they are started, where nothing else keeps them: by priority and time. */
export const inQueueOrder = (all: readonly DraftState[]): DraftState[] =>
  all
    .flatMap((draft) => (draft.status === 'queued' && draft.queued ? [{ draft, queued: draft.queued }] : []))
    .sort((a, b) => sinceOf(a.queued) - sinceOf(b.queued) || a.queued.ticket - b.queued.ticket)
    .map(({ draft }) => draft);

/** Whether `id` is to come after `other`, or after one that is. */
export function comesAfter(all: readonly DraftState[], id: AgentId, other: AgentId): boolean {
  const seen = new Set<AgentId>([id]);
  for (const one of seen)
    for (const before of all.find((draft) => draft.id === one && draft.status === 'queued')?.queued?.after ??
      [])
      seen.add(before);
  return id !== other && seen.has(other);
}
