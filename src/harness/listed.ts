/** Decides which drafted agents a list contains. Pure. */
import { type DraftState, isOver } from '../core/drafts.ts';
import type { Live } from './live.ts';

export interface ListedBy {
  readonly all: boolean;
  /** Also lists agents that ended after this time; `null` lists none that have ended. */
  readonly ended_after_ms: number | null;
  readonly now_ms: number;
  readonly live: (draft: DraftState) => Live;
}

/** An agent that needs someone stays on every list this long: a night, and the day after it. */
const NEEDS_SHOWN_MS = 86_400_000;

/** An ended agent stays listed while one of its descendants is shown. */
export function isListed(
  draft: DraftState,
  drafts: readonly DraftState[],
  { all, ended_after_ms, now_ms, live }: ListedBy,
): boolean {
  const isShown = (one: DraftState): boolean => {
    const ended_ms = one.ended_wall_ms ?? 0;
    const is_needy = ended_ms >= now_ms - NEEDS_SHOWN_MS && live(one).needs !== null;
    const is_recent = ended_ms >= (ended_after_ms ?? Infinity) || is_needy;
    return (
      all || !isOver(one) || is_recent || drafts.some((child) => child.parent === one.id && isShown(child))
    );
  };
  return isShown(draft);
}
