/** Which agent makes a call of an MCP tool, as far as anything vouches for it. */
import { GuardError } from '../core/error.ts';
import type { Who } from '../core/rules/who.ts';
import { callerOfTool, surroundingsOf } from '../core/speakers.ts';
import { checkedId } from './agent-id.ts';
import { outsider, servingAs, withoutKey } from './caller.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { signerOf } from './signed-call.ts';

export interface SaidByCall {
  /** The content of the field where a hook signs. */
  readonly said: string | undefined;
  /** The tool's name on this server. */
  readonly tool: string;
  /** Value of `--agent`. */
  readonly fixed: string | undefined;
  readonly only_looks: boolean;
}

/**
 * @param ofSession returns the session's own agent; given a name, only if that is its name
 * @throws GuardError GUARD_ERR_SPEAKER for a call that nothing vouches for
 */
export function callerOfCall(
  { said, tool, fixed, only_looks }: SaidByCall,
  env: Environment,
  ofSession: (name?: string) => Who,
): { readonly who: Who; readonly is_guess: boolean } {
  const { is_in_claude, is_mixed } = surroundingsOf(env);
  const caller = callerOfTool({
    signed: said === undefined ? null : signerOf(said, tool, env),
    has_claim: said !== undefined,
    fixed: fixed ?? null,
    is_in_claude: is_in_claude && !is_mixed,
    only_looks,
  });
  if (caller === 'unsigned') throw unsigned(said !== undefined, env);
  if (caller === 'served') return { who: servingAs(env, ofSession), is_guess: true };
  const isFixed = said === undefined;
  const who = isFixed && is_in_claude ? ofSession(caller.id) : outsider(checkedId(caller.id, '--agent'));
  return { who, is_guess: false };
}

const unsigned = (hasClaim: boolean, env: Environment): GuardError =>
  new GuardError(
    'GUARD_ERR_SPEAKER',
    hasClaim
      ? "The name in this call is not sealed by guard's hook, or its seal was used before."
      : "guard's hook did not say who makes this call.",
    withoutKey(env) ??
      'Nothing was done. In Claude Code: register the server as "guard" (guard init --mcp), start the client in the root of the repository, and let "guard doctor" check the hooks. Other hosts: start the server with "guard mcp --agent NAME", and leave "_agent" out.',
    {},
  );
