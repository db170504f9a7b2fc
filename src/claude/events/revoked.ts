// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * An agent whose locks were taken from it, or whose files were changed past guard, learns that at its next event, before it
 * goes on as if nothing had happened.
 */
import { ifAllowed } from '../../core/attempt.ts';
import { revokedLines } from '../../core/revoked-words.ts';
import { lossWords } from '../commands/told-drift.ts';
import type { HookOutput } from '../output.ts';
import { withContext } from '../output-added.ts';
import type { Hook } from '../context.ts';

/** The event's answer with it. A denial has it in its details (core/rules/write-reject.ts). */
export function withRevoked(hook: Hook, output: HookOutput): HookOutput {
  if (output.exit !== 0) return output;
  const { home, who } = hook;
  const known = home.agent();
  // Where the ledger is busy it stays for the next event; this one's own answer is told.
  const taken = known?.revoked ? ifAllowed(() => home.run({ type: 'revoked.told', who }), []) : [];
  const lines = revokedLines(taken);
  const next = 'Before you go on with a file, lock it and read it again.';
  const revoked = lines.length === 0 ? '' : ['guard:', ...lines, next].join(' ');
  const lost = known?.drifted ? ifAllowed(() => home.run({ type: 'drift.told', who, only: null }), []) : [];
  const note = [revoked, lossWords(home, lost)].filter((text) => text !== '').join('\n\n');
  return note === '' ? output : withContext(hook.input.event, output, note);
}
