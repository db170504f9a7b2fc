/** Waits for one agent, for several, or for the first of several to end. Any process may ask, any number of times. */
import { comesAfter } from '../core/draft-queue.ts';
import { draftKey, type DraftState, isOver, sessionAgent } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { toldToVictim } from '../core/deadlock-words.ts';
import { waitKey } from '../core/keys.ts';
import type { Who } from '../core/rules/who.ts';
import type { Deadlock } from '../core/rules/deadlock.ts';
import type { AgentId } from '../core/types.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { lookUntil } from '../locks/look-until.ts';
import { subscribe } from '../locks/subscribe.ts';
import type { DeadlockFacts, SayRelease } from '../locks/rows.ts';
import { takePlaces } from './await-place.ts';
import { lentPlace } from './lend-place.ts';
import { queuedNow } from './queue-place.ts';
import { reconcile } from './reconcile.ts';
import {
  allDrafts,
  checkAccess,
  draftOf,
  followDrafts,
  type HarnessWorkspace,
  unknownAgent,
} from './workspace.ts';

export interface AwaitOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (draft: DraftState) => void;
  /** How this interface tells its caller to release given locks. */
  readonly release: SayRelease;
  /** Whether the end of one of them is enough. */
  readonly first: boolean;
  /** Absent: until they have ended. */
  readonly timeout_ms: number | undefined;
}

/** The wait would never end: each agent in the cycle waits for the next, and the caller was chosen to give way. */
export interface Doomed {
  readonly status: 'deadlock';
  readonly agentId: AgentId;
  readonly message: string;
  readonly deadlock: DeadlockFacts;
}

/** The agents as of the last look; `null` if the signal came first. */
export type Awaited = readonly DraftState[] | Doomed | null;

/**
 * If the ledger is busy, the look is skipped and the wait continues.
 * @throws GuardError GUARD_ERR_AGENT for an agent not drafted here; GUARD_ERR_BUSY only if the first look fails
 */
export async function awaitAgents(
  space: HarnessWorkspace,
  caller: Who,
  ids: readonly AgentId[],
  { signal, onProgress, release, first, timeout_ms = Infinity }: AwaitOptions,
): Promise<Awaited> {
  checkAccess(space, caller.id, 'await');
  checkOrder(space, caller.id, ids);
  const until = space.facts().now.mono_ms + timeout_ms;
  const bell = subscribe(space.store, signal);
  const drafts = followDrafts(space);
  const places = takePlaces(space, caller);
  const place = lentPlace(space, caller);
  const keys = [...ids.map(draftKey), waitKey(caller.id)];
  const look = (): readonly DraftState[] | Doomed | undefined => {
    const seen = ids.map((id) => draftOf(space, id) ?? unknown(id));
    const running = seen.filter((draft) => !isOver(draft));
    if (running.length === 0 || (first && running.length < seen.length)) return seen;
    if (signal.aborted) return undefined;
    if (isForNothing(space, running)) return seen;
    // An agent that waits for any of several is in no cycle while one of them is in none.
    const dead = places.hold(first && running.length > 1 ? [] : running.map(({ id }) => id));
    if (dead !== null) return doomed(dead.agent, dead.deadlock, release(dead.deadlock));
    place.lend();
    const queued = onProgress === undefined ? null : queuedNow(space);
    for (const draft of running)
      onProgress?.({ ...draft, doing: queued?.get(draft.id)?.words ?? draft.doing ?? null });
    return undefined;
  };
  const lookAgain = (): readonly DraftState[] | Doomed | undefined => {
    unlessBusy(() => reconcile(space, drafts()));
    return unlessBusy(look);
  };
  try {
    const found = await lookUntil(bell, {
      look: (isFirst) => (isFirst ? look() : lookAgain()),
      concerns: ({ s }) => keys.some((key) => Object.hasOwn(s, key)),
      left_ms: () => until - space.facts().now.mono_ms,
    });
    return found ?? (signal.aborted ? null : ids.map((id) => draftOf(space, id) ?? unknown(id)));
  } finally {
    places.leave();
    place.takeBack();
    bell.close();
  }
}

/** None of them starts until someone resumes an agent, which the caller is told so that it can be that someone. */
function isForNothing(space: HarnessWorkspace, running: readonly DraftState[]): boolean {
  if (running.some(({ status }) => status !== 'queued')) return false;
  const queued = queuedNow(space);
  return running.every(({ id }) => queued.get(id)?.is_stuck === true);
}

/** @throws GuardError GUARD_ERR_AGENT for an agent that starts only after the caller has ended */
function checkOrder(space: HarnessWorkspace, caller: AgentId, ids: readonly AgentId[]): void {
  const own = sessionAgent(caller);
  if (draftOf(space, own) === null) return;
  const all = allDrafts(space);
  const later = ids.find((id) => comesAfter(all, id, own));
  if (later === undefined) return;
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `${later} starts only after you have ended: you would wait for each other.`,
    'End without waiting for it.',
    { why: 'circle', agent: later },
  );
}

function unknown(id: AgentId): never {
  throw unknownAgent(id);
}

const doomed = (agentId: AgentId, dead: Deadlock, release: string): Doomed => ({
  status: 'deadlock',
  agentId,
  message: `${toldToVictim(dead, release)} Then wait for ${agentId} again.`,
  deadlock: { victim: dead.victim, cycle: dead.cycle, release },
});
