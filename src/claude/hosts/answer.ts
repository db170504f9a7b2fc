// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A refusal as another client takes it. */
import { attempt } from '../../core/attempt.ts';
import { asFields, asText } from '../fields.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookOutput } from '../output.ts';

/**
 * Copilot CLI through Claude's settings file reads the flat fields at exit code 2, and none at all where Claude's own
 * stand beside them (measured on 1.0.102). Every other client takes the answer as it is (output.ts).
 */
export function answerFor({ host, raw }: HookInput, output: HookOutput): HookOutput {
  // `toolArgs` is its own hook file's.
  if (host !== 'copilot' || output.exit !== 2 || raw['toolArgs'] !== undefined) return output;
  const reason = inItsWords(reasonIn(output.stdout));
  if (reason === '') return output;
  const flat = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { ...output, stdout: `${JSON.stringify(flat)}\n` };
}

const reasonIn = (stdout: string): string =>
  attempt(() => {
    const said = asFields(JSON.parse(stdout));
    return asText(said['permissionDecisionReason'] ?? said['reason']);
  }, '');

/** Its tool for reading is called `view`, and takes a range instead of offset and limit. */
const inItsWords = (reason: string): string =>
  reason.replace(/"Read ([^"]*?) again, with offset and limit[^"]*"/g, '"view $1 again"');
