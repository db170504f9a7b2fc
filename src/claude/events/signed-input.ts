/** The input of a tool call, signed by guard with the caller's name; any other name is removed. */
import { RESERVED } from '../../core/lock-tools.ts';
import type { Fields } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { type HookOutput, rewriteInput } from '../output.ts';
import type { Hook } from '../context.ts';
import { signed, toolIn } from './sign-call.ts';

/** Without a key the call continues unsigned, and the server refuses it with the reason. */
export function signedInput({ input, who, now, env }: Hook): HookOutput {
  const call = { agent: who.id, tool: toolIn(input.tool), id: input.tool_use_id };
  const signature = signed(call, now, env);
  const agent = signature === null ? {} : { [RESERVED.agent]: signature };
  return rewriteInput({ ...withoutName(input), ...agent, [RESERVED.cwd]: input.cwd });
}

/** For a tool of the same name on a server not known to be guard's: removes a name that the model gave itself. */
export const unclaimed = (input: HookInput): HookOutput | null =>
  Object.hasOwn(input.tool_input, RESERVED.agent) ? rewriteInput(withoutName(input)) : null;

const withoutName = ({ tool_input }: HookInput): Fields =>
  Object.fromEntries(Object.entries(tool_input).filter(([name]) => name !== RESERVED.agent));
