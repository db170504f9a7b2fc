/** Waiting for the end of an agent, by whom and how often ever. */
import { type AgentResult, draftKey, type DraftOutcome, type DraftState, isOver } from '../core/drafts.ts';
import { toldToVictim } from '../core/deadlock-words.ts';
import { waitKey } from '../core/keys.ts';
import type { Who } from '../core/rules/agent.ts';
import type { Deadlock } from '../core/rules/deadlock.ts';
import type { AgentId } from '../core/types.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { lookUntil } from '../locks/look-until.ts';
import { subscribe } from '../locks/subscribe.ts';
import type { DeadlockFacts, SayRelease } from '../locks/rows.ts';
import { takePlace } from './await-place.ts';
import { reconcile } from './reconcile.ts';
import { checkAccess, draftOf, followDrafts, type HarnessWorkspace, unknownAgent } from './workspace.ts';

export interface AwaitResult {
  readonly status: DraftOutcome;
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

export interface AwaitOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (draft: DraftState) => void;
  /** How this face says "let go of these". */
  readonly release: SayRelease;
}

/** The wait would never end: each in the circle waits for the next, and the caller was chosen to let go. */
export interface Doomed {
  readonly status: 'deadlock';
  readonly agentId: AgentId;
  readonly message: string;
  readonly deadlock: DeadlockFacts;
}

/**
 * Null: the signal came first. A look that found the ledger busy was none: the wait goes on.
 * @throws GuardError GUARD_ERR_AGENT for an agent nobody drafted here; GUARD_ERR_BUSY only where the first look did not come about
 */
export async function awaitAgent(
  space: HarnessWorkspace,
  caller: Who,
  id: AgentId,
  { signal, onProgress, release }: AwaitOptions,
): Promise<AwaitResult | Doomed | null> {
  checkAccess(space, caller.id, 'await');
  const bell = subscribe(space.store, signal);
  const drafts = followDrafts(space);
  const place = takePlace(space, caller, id);
  const keys = [draftKey(id), waitKey(caller.id)];
  const look = (): AwaitResult | Doomed | undefined => {
    const draft = draftOf(space, id);
    if (draft === null) throw unknownAgent(id);
    if (isOver(draft)) return awaited(draft);
    if (signal.aborted) return undefined;
    const dead = place.hold();
    if (dead !== null) return doomed(id, dead, release(dead));
    onProgress?.(draft);
    return undefined;
  };
  const lookAgain = (): AwaitResult | Doomed | undefined => {
    unlessBusy(() => reconcile(space, drafts()));
    return unlessBusy(look);
  };
  try {
    return await lookUntil(bell, {
      look: (isFirst) => (isFirst ? look() : lookAgain()),
      concerns: ({ s }) => keys.some((key) => Object.hasOwn(s, key)),
    });
  } finally {
    place.leave();
    bell.close();
  }
}

const doomed = (agentId: AgentId, dead: Deadlock, release: string): Doomed => ({
  status: 'deadlock',
  agentId,
  message: `${toldToVictim(dead, release)} Then wait for ${agentId} again.`,
  deadlock: { victim: dead.victim, cycle: dead.cycle, release },
});

export function awaited(draft: DraftState): AwaitResult {
  const { id, role, task, reason, result, last_output, usage, worktree } = draft;
  return {
    status: draft.status as DraftOutcome,
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
