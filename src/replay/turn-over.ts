/**
 * A replay does not wait, but the end of a turn is a matter of time: its locks are released a moment after Stop, unless the
 * agent was sent back to work. The next steps of the recording show which of the two happened.
 */
import { textField } from '../claude/input.ts';
import type { RecordingStep } from './recording.ts';

/** How long guard keeps locks after a Stop (claude/events/turn-end.ts), with a margin. */
const OVER_MS = 3_200;

const ENDS = new Set(['Stop', 'StopFailure']);

/** Milliseconds to wait after a step: only if another session is next. */
export function restAfter(steps: readonly RecordingStep[], at: number): number {
  const step = steps[at];
  if (step === undefined || !isEnd(step)) return 0;
  const next = steps
    .slice(at + 1)
    .map(sessionOf)
    .find((session) => session !== null);
  return next === undefined || next === sessionOf(step) ? 0 : OVER_MS;
}

const isEnd = (step: RecordingStep): boolean =>
  step.kind === 'event' && ENDS.has(textField(step.payload, 'hook_event_name', 'hookEventName'));

/** Null if the step belongs to no session. */
function sessionOf(step: RecordingStep): string | null {
  if (step.kind === 'event') return textField(step.payload, 'session_id', 'sessionId');
  return step.kind === 'guard' ? (step.env['CLAUDE_CODE_SESSION_ID'] ?? '') : null;
}
