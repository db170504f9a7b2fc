import { GuardError } from '../core/error.ts';
import { isInClaude } from './agent-id.ts';
import type { Environment } from '../repo/user-dirs.ts';

/**
 * Only people may weaken guard. An agent that hides its environment gets past this, but the ledger then shows who turned
 * guard off.
 * @param what the command, such as `guard off`
 */
export function requirePerson(what: string, env: Environment): void {
  if (!isInClaude(env)) return;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `"${what}" can only be run by a person, because it may weaken how this repository is guarded.`,
    `Ask the user to run "${what}" in a terminal of their own.`,
    { command: what },
  );
}

/** Also refuses anything that is not a terminal: a pause should be a person's decision at that moment. */
export function requireTerminal(what: string, env: Environment, isInteractive: boolean): void {
  requirePerson(what, env);
  if (isInteractive) return;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `"${what}" needs a terminal: a person decides that, not a script.`,
    'Run it in a terminal.',
    { command: what },
  );
}
