/** An agent whose locks were taken from it learns that at its next event, before it goes on as if it had them. */
import { isGuardError } from '../../core/error.ts';
import { revokedLines } from '../../core/revoked-words.ts';
import type { Revoked } from '../../core/types.ts';
import type { HookOutput } from '../output.ts';
import { withContext } from '../output-added.ts';
import type { Scene } from '../scene.ts';

/** The event's answer with it. A denial has it in its details (core/rules/write-reject.ts). */
export function withRevoked(scene: Scene, output: HookOutput): HookOutput {
  if (output.exit !== 0) return output;
  const lines = revokedLines(untold(scene));
  if (lines.length === 0) return output;
  const next = 'Before you go on with a file, lock it and read it again.';
  return withContext(scene.input.event, output, ['guard:', ...lines, next].join(' '));
}

/** Where the ledger is busy it stays for the next event; this one's own answer is told. */
function untold({ home, who }: Scene): readonly Revoked[] {
  try {
    return home.run({ type: 'revoked.told', who });
  } catch (error) {
    if (isGuardError(error)) return [];
    throw error;
  }
}
