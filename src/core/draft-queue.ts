/** Drafted agents that wait to be started: their order, what each waits for, and which will never start. Pure. */
import { usageOf } from './agent-limits.ts';
import { judgeShare, treeOf } from './draft-share.ts';
import type { Drafts, Verdict } from './draft-verdict.ts';
import { type DraftState, isOver } from './drafts.ts';
import type { Queued } from './in-queue.ts';
import type { Json, Key } from './ledger.ts';
import { freeFor } from './places-of-drafts.ts';
import { canBeResumed } from './resumable.ts';
import type { AgentId } from './types.ts';

/** The queued agents, in one state: when it is empty, an agent that ends need not look at anything else. */
export const QUEUE: Key = 'queue:';

/** The maximum number of queued agents per repository. */
export const QUEUED_MAX = 200;

/** One step of priority counts as this much waiting, so every agent's turn comes, whatever others' priorities are. */
const STEP_MS = 3_600_000;
export const PRIORITY_MAX = 9;

export const queueIn = (state: Json | undefined): readonly AgentId[] =>
  (state as { readonly agents?: readonly AgentId[] } | null | undefined)?.agents ?? [];

export function judgeQueued(draft: DraftState, drafts: Drafts): Verdict {
  const { open, resumable, failed } = unmetBy(draft, drafts);
  if (failed !== undefined) return { refused: { why: 'after', limit: null, agent: failed } };
  const { tree, tree_turns } = treeOf(draft, drafts.all);
  if (tree_turns !== null && usageOf(tree).turns >= tree_turns)
    return { refused: { why: 'budget', limit: null } };
  if (open.length + resumable.length > 0)
    return { waits: { why: 'after', agents: [...open, ...resumable], resumable } };
  const free = freeFor(draft, drafts);
  if (free < 0) return { waits: { why: 'place', limit: draft.bounds?.running ?? 0 } };
  return judgeShare(draft, drafts, free);
}

interface Unmet {
  /** Those that have not ended. */
  readonly open: readonly AgentId[];
  /** Those that ended without completing, but can be resumed. */
  readonly resumable: readonly AgentId[];
  /** The first that will never complete. */
  readonly failed?: AgentId;
}

/** Of the agents that it must follow, those that have not completed. */
function unmetBy({ queued }: DraftState, drafts: Drafts): Unmet {
  const { after = [], anyway = false } = queued ?? {};
  const before = after.map((id) => ({ id, draft: drafts.all.find((one) => one.id === id) }));
  const open = before.flatMap(({ id, draft }) => (draft !== undefined && !isOver(draft) ? [id] : []));
  if (anyway) return { open, resumable: [] };
  // An agent that is no longer recorded cannot be shown to have completed.
  const missing = before.filter(
    ({ draft }) => draft === undefined || (isOver(draft) && draft.status !== 'completed'),
  );
  const failed = missing.find(({ draft }) => draft === undefined || !canBeResumed(draft, drafts));
  const resumable = missing.map(({ id }) => id);
  return failed === undefined ? { open, resumable } : { open, resumable: [], failed: failed.id };
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
