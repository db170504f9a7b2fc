/** An agent whose locks were taken from it learns that at its next event, before it goes on as if it had them. */
import { revokedLines } from '../../core/revoked-words.ts';
import type { HookOutput } from '../output.ts';
import { withContext } from '../output-added.ts';
import type { Scene } from '../scene.ts';

/** The event's answer with it. A denial has it in its details (core/rules/write-reject.ts). */
export function withRevoked({ home, who, input }: Scene, output: HookOutput): HookOutput {
  if (output.exit !== 0) return output;
  const lines = revokedLines(home.run({ type: 'revoked.told', who }));
  if (lines.length === 0) return output;
  const next = 'Before you go on with a file, lock it and read it again.';
  return withContext(input.event, output, ['guard:', ...lines, next].join(' '));
}
