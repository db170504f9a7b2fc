// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * An agent whose locks were taken away, or whose files were changed without guard, learns this at its next event, before it
 * continues as if nothing had happened.
 */
import { ifAllowed } from '../../core/attempt.ts';
import { revokedLines } from '../../core/revoked-words.ts';
import { lossWords } from '../commands/told-drift.ts';
import type { HookOutput } from '../output.ts';
import { withContext } from '../output-added.ts';
import type { Hook } from '../context.ts';

/** Adds it to the event's answer. A denial has it in its details (core/rules/write-reject.ts). */
export function withRevoked(hook: Hook, output: HookOutput): HookOutput {
  if (output.exit !== 0) return output;
  const { home, who } = hook;
  const known = home.agent();
  // If the ledger is busy, it is left for the next event, and this event's own answer is sent.
  const isTaken = known?.revoked ?? home.named?.hasTold?.('revoked.told');
  const isLost = known?.drifted ?? home.named?.hasTold?.('drift.told');
  const taken = isTaken ? ifAllowed(() => home.run({ type: 'revoked.told', who }), []) : [];
  const lines = revokedLines(taken);
  const next = 'Before you continue with a file, lock it and read it again.';
  const revoked = lines.length === 0 ? '' : ['guard:', ...lines, next].join(' ');
  const lost = isLost ? ifAllowed(() => home.run({ type: 'drift.told', who, only: null }), []) : [];
  const note = [revoked, lossWords(home, lost)].filter((text) => text !== '').join('\n\n');
  return note === '' ? output : withContext(hook.input.event, output, note);
}
