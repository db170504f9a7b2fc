import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { draftAgent } from '../../harness/draft.ts';
import { mustName } from '../agent-id.ts';
import type { AgentCommand } from '../commands/agent.ts';
import { say } from '../shell.ts';
import { followToEnd } from './await.ts';
import { drafterAt, withHarness } from './workspace.ts';

export const draftCommand: AgentCommand = (args, options, shell) => {
  const { role = '', plan, task, worktree, wait, json } = options;
  const prompt = plan === undefined ? args.join(' ') : planIn(resolve(shell.cwd, plan));
  if (prompt.trim() === '' || (plan !== undefined && args.length > 0))
    throw new GuardError('GUARD_ERR_USAGE', 'An agent needs one prompt, or one plan.', HOW);
  return withHarness(shell, async (space) => {
    const who = drafterAt(space, options.agent);
    const drafted = draftAgent(space, who, { role, prompt, task, worktree, is_plan: plan !== undefined });
    const is_awaited = wait === true || plan !== undefined;
    if (is_awaited) {
      shell.err(`${drafted.agentId} works on ${drafted.taskSlug}\n`);
      const caller = { who, as: mustName(options.agent, shell.env) };
      return followToEnd(space, caller, drafted.agentId, json === true, shell);
    }
    return say(shell, options, drafted, () => `${drafted.agentId}\n`);
  });
};

const HOW = 'guard agent draft --role NAME "what to do", or --plan FILE';

function planIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The plan cannot be read: ${reason}.`;
    throw new GuardError('GUARD_ERR_USAGE', message, 'Name a text file.', { file });
  }
}
