/** Positions of the queued agents at this moment. */
import { type QueuePlace, queuePlaces } from '../core/queue-words.ts';
import type { AgentId } from '../core/types.ts';
import { isQueueEmpty } from './move-queue.ts';
import { allDrafts, type HarnessWorkspace } from './workspace.ts';

const NOBODY: ReadonlyMap<AgentId, QueuePlace> = new Map();

export type QueuedNow = ReadonlyMap<AgentId, QueuePlace>;

export const queuedNow = (space: HarnessWorkspace): QueuedNow =>
  isQueueEmpty(space) ? NOBODY : queuePlaces({ all: allDrafts(space), now: space.facts().now });

/** `null` if it is not queued. */
export const queuePlaceOf = (space: HarnessWorkspace, id: AgentId): QueuePlace | null =>
  queuedNow(space).get(id) ?? null;
