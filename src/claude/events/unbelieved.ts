/**
 * Events in a repository whose state directory is not believed, or gone: a person's pause counts all the same, and the
 * start of a session says what is wrong. Null: as with every other failure.
 */
import { rfc3339 } from '../../core/rfc3339.ts';
import type { GuardError } from '../../core/error.ts';
import { readPause } from '../../install/user-pause.ts';
import { readNow } from '../../repo/clock.ts';
import { locateRepo } from '../../repo/locate.ts';
import { type HookOutput, SILENT } from '../output.ts';
import type { HookInput } from '../input.ts';
import type { HookEnvironment } from '../context.ts';

export function unbelieved(
  input: HookInput,
  { message, hint, facts }: GuardError,
  { env }: HookEnvironment,
): HookOutput | null {
  const pause = readPause(locateRepo(String(facts['root']), env), env, readNow());
  if (input.event === 'SessionStart') {
    const until = pause === null ? '' : rfc3339(pause.until_wall_ms);
    return say(
      `guard: ${message} ${sentence(hint)} ` +
        (pause === null ? 'Until then writes are denied.' : `guard is switched off until ${until}.`),
    );
  }
  return pause === null ? null : SILENT;
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** To the person and to the agent. */
function say(text: string): HookOutput {
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: text };
  return { exit: 0, stdout: `${JSON.stringify({ systemMessage: text, hookSpecificOutput })}\n`, stderr: '' };
}
