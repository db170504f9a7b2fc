/** How long the newest run of a drafted agent has taken. */
import type { DraftState } from './drafts.ts';
import type { Now } from './types.ts';

export const runBegan = ({ begun_wall_ms, started_wall_ms }: DraftState): number =>
  begun_wall_ms ?? started_wall_ms;

/** On its supervisor's clock if that is comparable: it neither jumps nor counts sleep. */
export function runAge_ms(draft: DraftState, now: Now): number {
  const { supervisor, started_mono_ms } = draft;
  const is_comparable = started_mono_ms !== undefined && supervisor?.boot === now.boot;
  return is_comparable ? now.mono_ms - started_mono_ms : now.wall_ms - runBegan(draft);
}
