/** The one place where a failed command says why and becomes an exit code. */
import type { ErrorCode } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import { type ErrorEnvelope, failureOf } from '../operations/operation.ts';
import { type RefusalCode, REFUSALS } from '../operations/refused.ts';
import { EXIT, type ExitCode } from './exit.ts';
import type { Shell } from './shell.ts';

const EXIT_OF: Partial<Record<ErrorCode | RefusalCode, ExitCode>> = {
  ...(Object.fromEntries(Object.keys(REFUSALS).map((code) => [code, EXIT.no])) as Record<
    RefusalCode,
    ExitCode
  >),
  NAME_TAKEN: EXIT.usage,
  GUARD_ERR_USAGE: EXIT.usage,
  GUARD_ERR_AGENT: EXIT.no,
  GUARD_ERR_NO_CONTENT: EXIT.no,
  GUARD_ERR_UNDO: EXIT.no,
  GUARD_ERR_SPEAKER: EXIT.usage,
};

/**
 * Known errors print code, message and hint; with `--json` also `{"error":{code,message,hint,facts}}` on standard output.
 * Anything else is a bug: its whole stack, and exit code 2.
 */
export function reportFailure(error: unknown, shell: Shell, json: boolean): ExitCode {
  const known = failureOf(error);
  const failure = known ?? bug(error);
  if (json) shell.json(failure);
  const { code, message, hint } = failure.error;
  shell.err(`${shell.color.red(`guard: ${code}`)} ${shown(message)}\n`);
  if (hint !== '') shell.err(`  ${shown(hint)}\n`);
  if (known === null) shell.err(`${shown(stackOf(error))}\n`);
  return EXIT_OF[code as ErrorCode | RefusalCode] ?? EXIT.failed;
}

/** Both may quote names and files that someone else chose. */
const shown = (text: string): string => text.split('\n').map(plain).join('\n');

function bug(error: unknown): ErrorEnvelope {
  const message = error instanceof Error ? error.message : String(error);
  const hint = 'This is a bug in guard. Please report it with the text below.';
  return { error: { code: 'GUARD_ERR_INTERNAL', message, hint, facts: {} } };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
