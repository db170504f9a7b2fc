/**
 * Starts the queued agents that can be started now. Called by every process that ends an agent or looks at agents at all, so that none
 * has to be notified of a free place. One transaction takes each agent off the queue, so it starts once.
 */
import { attempt } from '../core/attempt.ts';
import { QUEUE, queueIn } from '../core/draft-queue.ts';
import type { DraftState } from '../core/drafts.ts';
import { mayOnlyLook } from '../core/policy/role.ts';
import { runMark } from '../core/run-mark.ts';
import { markProcess } from '../repo/process.ts';
import { draftAround } from './caller.ts';
import { failedToStart } from './ending.ts';
import { callOnEnd, onEndBy } from './on-end.ts';
import { isOutOfSpace } from './disk-faults.ts';
import { recordEnd } from './record-end.ts';
import { start } from './start.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';

export const isQueueEmpty = ({ store }: Pick<HarnessWorkspace, 'store'>): boolean =>
  queueIn(store.look([QUEUE]).get(QUEUE)).length === 0;

const NOBODY = whoOf('guard', '');

export function moveQueue(space: HarnessWorkspace): void {
  // An agent inherits the environment of its starter, so one that may not draft must not start it.
  if (isQueueEmpty(space) || mayOnlyLook(draftAround(space))) return;
  const starter = markProcess(process.pid);
  const on_end_by = onEndBy(space);
  for (;;) {
    const { draft, ended = [] } = space.run({
      type: 'draft',
      phase: 'next',
      who: NOBODY,
      starter,
      on_end_by,
    });
    for (const one of ended) attempt(() => callOnEnd(space, one), undefined);
    if (draft === null && ended.length === 0) return;
    if (draft === null) continue;
    try {
      start(space, draft);
    } catch (error) {
      // There may be room again at the next look.
      if (isOutOfSpace(error)) {
        putBack(space, draft);
        return;
      }
      recordEnd(space, draft, failedToStart(error));
    }
  }
}

/**
 * Queues an agent that was taken off the queue, or was starting, again. Returns false if its record no longer allows that.
 * @throws GuardError GUARD_ERR_FULL if it cannot be recorded
 */
export function putBack(space: HarnessWorkspace, draft: DraftState): boolean {
  const { id, session, queued } = draft;
  const starts = queued?.starts ?? 0;
  const event = { type: 'draft', phase: 'requeue', who: whoOf(id, session), starts } as const;
  return space.run({ ...event, of: runMark(draft) }).refused === null;
}
