/**
 * A file that this agent just wrote differs from what it wrote, usually because of a formatter hook. If the agent is
 * shown the whole difference, it has seen the new content; otherwise it must read the file again.
 */
import type { Target } from '../../repo/canonical.ts';
import { describeDifference } from '../text/difference.ts';
import { CONTEXT_LIMIT_CHARS } from '../output.ts';
import type { HookSpace } from '../context.ts';

export interface TextChange {
  readonly before: string;
  readonly after: string;
  readonly digest: string;
  readonly turn: number;
}

/** The room left in one message; a note that does not fit was not shown (output.ts, CONTEXT_LIMIT_CHARS). */
export interface Room {
  left_chars: number;
}

export const newRoom = (): Room => ({ left_chars: CONTEXT_LIMIT_CHARS });

/** Returns the note, and subtracts its length and a blank line from the room. */
export function noteIn(room: Room, note: string): string {
  room.left_chars -= note.length + 2;
  return note;
}

/** Leaves room for the differences of other files. */
const DIFFERENCE_LIMIT_CHARS = 4_000;
/** The sentence around a difference, with the longest usual path, and the blank line between two notes. */
const SENTENCE_CHARS = 600;

export function tellChange(space: HookSpace, file: Target, change: TextChange, room: Room): string {
  const max_chars = Math.min(DIFFERENCE_LIMIT_CHARS, room.left_chars - SENTENCE_CHARS - file.abs.length);
  const difference = max_chars < 1 ? null : describeDifference(change.before, change.after, { max_chars });
  const note =
    difference?.whole === true
      ? `guard: ${file.abs} was changed after your write (a formatter?). It now differs from what you wrote as follows:\n${difference.text}`
      : `guard: ${file.abs} was changed after your write, by too much to show here. Read it again before you write it.`;
  room.left_chars -= note.length + 2;
  if (difference?.whole !== true || room.left_chars < 0) return note;
  space.named?.note?.(note);
  space.baselines.write(file.path, { turn: change.turn, knows: 'content', digest: change.digest });
  space.baselines.keepText(file.path, change.after);
  return note;
}
