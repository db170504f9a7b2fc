/**
 * A drafted agent that waits for others lends them its place while any agent is queued. Otherwise leads that hold all
 * places would wait for agents that get none.
 */
import { hasPlace } from '../core/places-of-drafts.ts';
import { type DraftState, sessionAgent } from '../core/drafts.ts';
import { unlessHindered } from '../core/is-busy.ts';
import type { Who } from '../core/rules/who.ts';
import { isQueueEmpty, moveQueue } from './move-queue.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';

/** If a wait is killed, its agent gets its place back after this time, if it is still alive. */
const LEND_MS = 30_000;
const AGAIN_MS = 10_000;

export interface LentPlace {
  /** Called at every look while the wait lasts. */
  lend(): void;
  takeBack(): void;
}

export function lentPlace(space: HarnessWorkspace, who: Who): LentPlace {
  const own: DraftState | null = draftOf(space, sessionAgent(who.id));
  const since_mono_ms = space.facts().now.mono_ms;
  let again_mono_ms: number | null = null;
  const say = (until_mono_ms: number | null): unknown =>
    unlessHindered(() => space.run({ type: 'draft', phase: 'lend', who, until_mono_ms, since_mono_ms }));
  return {
    lend() {
      const { mono_ms } = space.facts().now;
      if (own === null || !hasPlace(own) || mono_ms < (again_mono_ms ?? 0)) return;
      if (again_mono_ms === null && isQueueEmpty(space)) return;
      again_mono_ms = mono_ms + AGAIN_MS;
      say(mono_ms + LEND_MS);
      unlessHindered(() => moveQueue(space));
    },
    takeBack() {
      if (again_mono_ms !== null) say(null);
    },
  };
}
