/** Drafted agents that wait to be started: their order, what each waits for, and which will never start. Pure. */
import { usageOf } from './agent-limits.ts';
import { type Money, moneyOf } from './budget.ts';
import { type DraftState, isOver, treeBelow } from './drafts.ts';
import type { Queued } from './in-queue.ts';
import type { Json, Key } from './ledger.ts';
import { freeFor, shareFor, takesPlace } from './places-of-drafts.ts';
import type { RunMark } from './run-mark.ts';
import type { AgentId, Now } from './types.ts';

/** The queued agents, in one state: when it is empty, an agent that ends need not look at anything else. */
export const QUEUE: Key = 'queue:';

/** The maximum number of queued agents per repository. */
export const QUEUED_MAX = 200;

/** One step of priority counts as this much waiting, so every agent's turn comes, whatever others' priorities are. */
const STEP_MS = 3_600_000;
export const PRIORITY_MAX = 9;

export const queueIn = (state: Json | undefined): readonly AgentId[] =>
  (state as { readonly agents?: readonly AgentId[] } | null | undefined)?.agents ?? [];

/**
 * Why an agent is not drafted or never started. `access`: its role may only look. `ended`: the drafter or the agent has
 * ended. For an agent that is to continue: `turns`, `wall`, `cost`: its own limit is used up; `leaving`: it is being
 * ended; `unheard`: too many messages to it are still undelivered. For a supervisor: `replaced`: its agent has another one.
 */
export type DraftRefusal =
  | ('access' | 'depth' | 'queue' | 'budget' | 'after' | 'planned' | 'ended' | 'unknown')
  | ('turns' | 'wall' | 'cost' | 'leaving' | 'unheard')
  | 'replaced';

export interface DraftRefused {
  readonly why: DraftRefusal;
  readonly limit: number | null;
  /** The state of a budget that has nothing left. */
  readonly money?: Money;
  /** The agent that it was to follow, or the one that has its place in a plan. */
  readonly agent?: AgentId;
  /** For `replaced`: the run that is recorded instead. */
  readonly on_record?: RunMark;
}

/** What keeps a queued agent from starting. */
export type WaitsFor =
  | { readonly why: 'after'; readonly agents: readonly AgentId[] }
  | { readonly why: 'place'; readonly limit: number }
  | { readonly why: 'share'; readonly money: Money };

export type Verdict =
  { readonly share_usd: number | null } | { readonly waits: WaitsFor } | { readonly refused: DraftRefused };

/** The data that decides about places and shares. */
export interface Drafts {
  /** Every recorded draft, including the one to decide about. */
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

/** For an agent that has a place. @param free how many other agents could start next to it */
export function judgeShare(draft: DraftState, { all, now }: Drafts, free: number): Verdict {
  const { tree, tree_cost_usd } = treeOf(draft, all);
  if (tree_cost_usd === null) return { share_usd: draft.limits.cost_usd };
  const money = moneyOf(tree, tree_cost_usd);
  const share_usd = shareFor(draft, money, free);
  if (share_usd !== null) return { share_usd };
  // No agent is left that could return money, so waiting would never end.
  return tree.some((one) => takesPlace(one, now))
    ? { waits: { why: 'share', money } }
    : { refused: { why: 'budget', limit: null, money } };
}

/** All agents in its tree, and the limits of the tree's root; its own limits if the root is no longer recorded. */
function treeOf(draft: DraftState, all: readonly DraftState[]) {
  const root = all.find(({ id }) => id === draft.root);
  const { tree_turns, tree_cost_usd } = root?.limits ?? draft.limits;
  return { tree: root === undefined ? [] : treeBelow(all, root.id), tree_turns, tree_cost_usd };
}

/** The agents it must follow: those that have not ended, and the first that did not complete. */
function unmetBy(
  { queued }: DraftState,
  all: readonly DraftState[],
): { readonly open: readonly AgentId[]; readonly failed?: AgentId } {
  const { after = [], anyway = false } = queued ?? {};
  const before = after.map((id) => ({ id, draft: all.find((one) => one.id === id) }));
  const open = before.flatMap(({ id, draft }) => (draft !== undefined && !isOver(draft) ? [id] : []));
  // An agent that is no longer recorded cannot be shown to have completed.
  const failed = before.find(
    ({ draft }) => draft === undefined || (isOver(draft) && draft.status !== 'completed'),
  );
  return anyway || failed === undefined ? { open } : { open, failed: failed.id };
}

const sinceOf = ({ since_wall_ms, priority }: Queued): number => since_wall_ms - priority * STEP_MS;

/** The order in which agents start if nothing else keeps them: by priority and time. */
export const inQueueOrder = (all: readonly DraftState[]): DraftState[] =>
  all
    .flatMap((draft) => (draft.status === 'queued' && draft.queued ? [{ draft, queued: draft.queued }] : []))
    .sort((a, b) => sinceOf(a.queued) - sinceOf(b.queued) || a.queued.ticket - b.queued.ticket)
    .map(({ draft }) => draft);

/** Whether `id` must follow `other`, directly or through other agents. */
export function comesAfter(all: readonly DraftState[], id: AgentId, other: AgentId): boolean {
  const seen = new Set<AgentId>([id]);
  for (const one of seen)
    for (const before of all.find((draft) => draft.id === one && draft.status === 'queued')?.queued?.after ??
      [])
      seen.add(before);
  return id !== other && seen.has(other);
}
