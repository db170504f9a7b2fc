// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A refusal in the form that another client accepts. */
import { attempt } from '../../core/attempt.ts';
import { asFields, asText } from '../fields.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookOutput } from '../output.ts';

/**
 * Copilot CLI, when it uses Claude's settings file, reads the flat fields at exit code 2, but ignores them if Claude's
 * own fields are present too (measured on 1.0.102). Every other client accepts the answer unchanged (output.ts).
 */
export function answerFor({ host, raw }: HookInput, output: HookOutput): HookOutput {
  // `toolArgs` comes only from its own hook file.
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

/** Its reading tool is called `view`, and takes a range instead of offset and limit. */
const inItsWords = (reason: string): string =>
  reason.replace(/"Read ([^"]*?) again, with offset and limit[^"]*"/g, '"view $1 again"');
