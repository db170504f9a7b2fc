/** Waiting for the end of an agent, by whom and how often ever. */
import { isOver } from '../core/drafts.ts';
import type { AgentResult, DraftState, Outcome } from '../core/drafts.ts';
import type { AgentId } from '../core/types.ts';
import { hangBell } from '../locks/bell.ts';
import { draftKey } from '../core/drafts.ts';
import { reconcile } from './reconcile.ts';
import { checkAccess, draftOf, followDrafts, unknownAgent } from './site.ts';
import type { Site } from './site.ts';

export interface Awaited {
  readonly status: Outcome;
  /** Absent where the agent gave none. */
  readonly result?: AgentResult;
  readonly agentId: AgentId;
  readonly role: string;
  readonly taskSlug: string;
  readonly reason: string | null;
  /** Its last words. */
  readonly message: string;
  readonly turns: number;
  readonly cost_usd: number;
  readonly worktree?: NonNullable<DraftState['worktree']>;
}

export interface Around {
  readonly signal: AbortSignal;
  readonly onProgress?: (draft: DraftState) => void;
}

/** Supervisors that die leave no record. */
const LOOK_MS = 1_000;

/** Null: the signal came first. @throws GuardError GUARD_ERR_AGENT for an agent nobody drafted here */
export async function awaitAgent(
  site: Site,
  caller: AgentId,
  id: AgentId,
  { signal, onProgress }: Around,
): Promise<Awaited | null> {
  checkAccess(site, caller, 'await');
  const bell = hangBell(site.store, signal);
  const drafts = followDrafts(site);
  try {
    for (;;) {
      const draft = draftOf(site, id);
      if (draft === null) throw unknownAgent(id);
      if (isOver(draft)) return awaited(draft);
      if (signal.aborted) return null;
      onProgress?.(draft);
      await bell.rung((record) => Object.hasOwn(record.s, draftKey(id)), LOOK_MS);
      reconcile(site, drafts());
    }
  } finally {
    bell.close();
  }
}

export function awaited(draft: DraftState): Awaited {
  const { id, role, task, reason, result, last_output, usage, worktree } = draft;
  return {
    status: draft.status as Outcome,
    ...(result === null ? {} : { result }),
    agentId: id,
    role,
    taskSlug: task,
    reason,
    message: last_output,
    turns: usage.turns,
    cost_usd: usage.cost_usd,
    ...(worktree === null ? {} : { worktree }),
  };
}
