/** The one place where a failed command says why and becomes an exit code. */
import { isGuardError } from '../core/error.ts';
import type { ErrorCode } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import { EXIT } from './exit.ts';
import type { ExitCode } from './exit.ts';
import type { Shell } from './shell.ts';

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly facts: object;
}

const EXIT_OF: Partial<Record<ErrorCode, ExitCode>> = {
  GUARD_ERR_USAGE: EXIT.usage,
  GUARD_ERR_AGENT: EXIT.no,
  GUARD_ERR_NO_CONTENT: EXIT.no,
  GUARD_ERR_UNDO: EXIT.no,
  GUARD_ERR_SPEAKER: EXIT.usage,
};

/**
 * Known errors print code, message and hint; with `--json` also `{"error":{code,message,hint,facts}}` on standard
 * output. Anything else is a bug: its whole stack, and exit code 2.
 */
export function reportFailure(error: unknown, shell: Shell, json: boolean): ExitCode {
  const failure = isGuardError(error) ? error : unknown(error);
  if (json)
    shell.json({
      error: { code: failure.code, message: failure.message, hint: failure.hint, facts: failure.facts },
    });
  shell.err(`${shell.color.red(`guard: ${failure.code}`)} ${shown(failure.message)}\n`);
  if (failure.hint !== '') shell.err(`  ${shown(failure.hint)}\n`);
  if (!isGuardError(error)) shell.err(`${shown(stackOf(error))}\n`);
  return EXIT_OF[failure.code] ?? EXIT.failed;
}

/** Both may quote names and files that somebody else chose. */
const shown = (text: string): string => text.split('\n').map(plain).join('\n');

function unknown(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const hint = 'This is a bug in guard. Please report it with the text below.';
  return { code: 'GUARD_ERR_INTERNAL', message, hint, facts: {} };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
