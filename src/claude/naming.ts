// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Clients up to 2.1.100 do not tell a command which session it belongs to, and 2.0.77 does not accept a rewritten command line
 * either. There, an agent that is told to call guard must be told to add its name. This is done in one place for everything that a
 * hook says, so that no message can omit it (docs/decisions/112).
 */
import type { AgentId } from '../core/types.ts';
import type { HookOutput } from './output.ts';
import type { Hook } from './context.ts';

/** Ids that `--agent` accepts and that need no quoting in a shell or in JSON. */
const PLAIN_ID = /^[\w@.:~+/-]{1,200}$/;

/** Commands that act for an agent, up to the position of `--agent`: as in shell/inject.ts. */
const ACTING =
  '(?:(?:lock|message|negotiate|agent) [a-z]+|(?:un)?reserve|reservations|conflicts|agents|join|leave)';

export const named = ({ home, who }: Hook, output: HookOutput): HookOutput =>
  naming(output, home.facts().guard_command, who.id);

/**
 * The answer with `--agent` in every guard command that it suggests. Rewritten command lines are left unchanged, because
 * they are the agent's own words.
 * @param guard how an agent calls guard here
 */
export function naming(output: HookOutput, guard: string, agent: AgentId): HookOutput {
  if (!PLAIN_ID.test(agent) || output.stdout.includes('"updatedInput":')) return output;
  // In JSON, and in JSON within JSON, a backslash is quoted as two or four.
  const literal = guard.split('\\').map(quotedForRegExp).join('\\\\+');
  const calls = new RegExp(`(?<![\\w/.-])${literal} ${ACTING}(?![\\w-])(?! --agent)`, 'g');
  const say = (text: string): string => text.replace(calls, (call) => `${call} --agent ${agent}`);
  return { ...output, stdout: say(output.stdout), stderr: say(output.stderr) };
}

const quotedForRegExp = (part: string): string => part.replace(/[.*+?^${}()|[\]]/g, '\\$&');
