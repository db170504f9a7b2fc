/** The input of a tool call with guard's word on who makes it, and without anybody else's. */
import { RESERVED } from '../../core/lock-tools.ts';
import type { Fields } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { type HookOutput, rewriteInput } from '../output.ts';
import type { Hook } from '../context.ts';
import { signed, toolIn } from './sign-call.ts';

/** Without a key the call goes on unsigned: the server refuses it, and says why. */
export function signedInput({ input, who, now, env }: Hook): HookOutput {
  const call = { agent: who.id, tool: toolIn(input.tool), id: input.tool_use_id };
  const signature = signed(call, now, env);
  const agent = signature === null ? {} : { [RESERVED.agent]: signature };
  return rewriteInput({ ...withoutName(input), ...agent, [RESERVED.cwd]: input.cwd });
}

/** A tool of the same name, of a server that is not known as guard's: a name that the model gave itself is taken away. */
export const unclaimed = (input: HookInput): HookOutput | null =>
  Object.hasOwn(input.tool_input, RESERVED.agent) ? rewriteInput(withoutName(input)) : null;

const withoutName = ({ tool_input }: HookInput): Fields =>
  Object.fromEntries(Object.entries(tool_input).filter(([name]) => name !== RESERVED.agent));
