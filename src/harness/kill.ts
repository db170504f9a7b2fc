/**
 * Ends an agent and everything it drafted. The request is recorded first, so that it holds no matter which process reads
 * it. If the disk is full, the signal is sent without it, and the end is recorded once there is room.
 */
import { attempt } from '../core/attempt.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import { treeBelow } from '../core/tree-below.ts';
import type { LedgerRecord } from '../core/ledger.ts';
import { unlessFull } from '../core/is-busy.ts';
import type { Who } from '../core/rules/who.ts';
import type { AgentId } from '../core/types.ts';
import { lookUntil } from '../locks/look-until.ts';
import { subscribe } from '../locks/subscribe.ts';
import { isCertainlyAlive } from '../repo/process.ts';
import { callOnEnd, onEndBy } from './on-end.ts';
import { leftBy } from './orphans.ts';
import { processesOf, sendSignal } from './processes.ts';
import { reconcile } from './reconcile.ts';
import { allDrafts, checkAccess, followDrafts, type HarnessWorkspace, markHere } from './workspace.ts';

export interface Killed {
  readonly success: boolean;
  readonly message: string;
}

/** A supervisor gives its client three seconds. */
const LIMIT_MS = 20_000;
const LOOK_MS = 50;

export async function killAgent(
  space: HarnessWorkspace,
  killer: Who,
  id: AgentId,
  reason: string,
): Promise<Killed> {
  checkAccess(space, killer.id, 'end');
  reconcile(space);
  const tree = treeBelow(allDrafts(space), id);
  const [self] = tree;
  if (self === undefined) return { success: false, message: `No agent ${id} was drafted here.` };
  const live = tree.filter((draft) => !isOver(draft));
  if (live.length === 0) return { success: false, message: `${id} has already ended: ${self.status}.` };
  for (const draft of live) ask(space, killer, draft, reason);
  const left = await gone(space, killer, id, reason);
  const below = live.length > 1 ? ` and ${live.length - 1} below it` : '';
  if (left.length === 0) return { success: true, message: `${id}${below} ended.` };
  if (left.every((draft) => hasNoProcess(space, draft)))
    return { success: true, message: `${id}${below} ended. ${NOT_YET}` };
  const names = left.map((draft) => draft.id).join(', ');
  return { success: false, message: `${names} did not end within ${LIMIT_MS / 1000} s.` };
}

const NOT_YET = 'The disk is full: this is recorded once it has room.';

const hasNoProcess = (space: HarnessWorkspace, draft: DraftState): boolean =>
  draft.status === 'running' && processesOf(leftBy(space, draft)).length === 0;

/** False if the request cannot be recorded. */
function ask(space: HarnessWorkspace, killer: Who, draft: DraftState, reason: string): boolean {
  const event = { type: 'draft', phase: 'kill', who: killer, id: draft.id, reason } as const;
  const told = unlessFull(() => space.run({ ...event, on_end_by: onEndBy(space) }));
  const now = told === undefined ? draft : told.draft;
  // An agent that was still queued ends with the request itself, unless another process has ended it since.
  if (now !== null && told?.refused === null && draft.status === 'queued' && isOver(now))
    attempt(() => callOnEnd(space, now), undefined);
  // Until its client runs, this may be the process that drafted it.
  const supervisor = now?.status === 'running' ? now.supervisor : null;
  // The supervisor polls the ledger anyway; the signal saves half a second.
  if (supervisor !== null && isCertainlyAlive(markHere(space, supervisor)))
    sendSignal(supervisor.pid, 'SIGTERM');
  return told !== undefined;
}

/** The agents still running when the time is up. */
async function gone(
  space: HarnessWorkspace,
  killer: Who,
  id: AgentId,
  reason: string,
): Promise<readonly DraftState[]> {
  const until = space.facts().now.mono_ms + LIMIT_MS;
  const drafts = followDrafts(space);
  const bell = subscribe(space.store, new AbortController().signal);
  let left: readonly DraftState[] = [];
  const look = (): true | undefined => {
    reconcile(space, drafts());
    left = treeBelow(drafts(), id).filter((draft) => !isOver(draft));
    // Drafted by one of them at the last moment.
    const late = left.filter(({ kill }) => kill === null);
    const isOnRecord = late.map((draft) => ask(space, killer, draft, reason)).every(Boolean);
    return left.length === 0 || (!isOnRecord && left.every((draft) => hasNoProcess(space, draft)))
      ? true
      : undefined;
  };
  const left_ms = (): number => until - space.facts().now.mono_ms;
  const concerns = ({ type }: LedgerRecord): boolean => type === 'draft';
  try {
    await lookUntil(bell, { look, concerns, left_ms, every_ms: LOOK_MS });
  } finally {
    bell.close();
  }
  return left;
}
