/**
 * A file that this agent just wrote is not as it wrote it, most often because of its own formatter hook.
 * Told the whole difference, the agent has seen the new content; otherwise it must read the file again.
 */
import type { Target } from '../../repo/canonical.ts';
import { describeDifference } from '../text/difference.ts';
import type { Place } from '../scene.ts';

export interface Change {
  readonly before: string;
  readonly after: string;
  readonly digest: string;
  readonly turn: number;
}

/** Leaves room for a second file in one message (output.ts, CONTEXT_LIMIT_CHARS). */
const DIFFERENCE_LIMIT_CHARS = 4_000;

export function tellChange(place: Place, file: Target, change: Change): string {
  const difference = describeDifference(change.before, change.after, { max_chars: DIFFERENCE_LIMIT_CHARS });
  if (!difference.whole) {
    return `guard: ${file.abs} was changed after your write, by too much to show here. Read it again before you write it.`;
  }
  place.baselines.write(file.path, { turn: change.turn, knows: 'content', digest: change.digest });
  place.baselines.keepText(file.path, change.after);
  return `guard: ${file.abs} was changed after your write (a formatter?). It now differs from what you wrote as follows:\n${difference.text}`;
}
