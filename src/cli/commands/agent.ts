/** `guard agent draft|await|kill|list|stats`: agents that guard starts, and whatever becomes of them. */
import type { Command } from 'commander';
import { act } from '../act.ts';
import type { ExitCode } from '../exit.ts';
import { awaitCommand } from '../agent/await.ts';
import { draftCommand } from '../agent/draft.ts';
import { killCommand } from '../agent/kill.ts';
import { listCommand } from '../agent/list.ts';
import { statsCommand } from '../agent/stats.ts';
import type { Shell } from '../shell.ts';

interface AgentOptions {
  readonly json?: boolean;
  readonly agent?: string;
  readonly role?: string;
  readonly task?: string;
  readonly plan?: string;
  readonly worktree?: boolean;
  readonly wait?: boolean;
  readonly reason?: string;
  readonly all?: boolean;
  readonly watch?: boolean;
}

export type AgentCommand = (
  args: readonly string[],
  options: AgentOptions,
  shell: Shell,
) => Promise<ExitCode>;

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string, operands: string, run: AgentCommand): Command => {
    const sub = command.command(name).description(summary);
    if (operands !== '') sub.argument(operands);
    sub.option('--json', 'print JSON');
    act<AgentOptions>(sub, shell, ({ args, options }) => run(args, options, shell));
    return sub;
  };
  const acting = (sub: Command): Command => sub.option('--agent <id>', 'for whom (default: who runs this)');
  acting(verb('draft', 'start an agent', '[prompt...]', draftCommand))
    .requiredOption('--role <name>', 'the role it plays: a file in rolesDir')
    .option('--plan <file>', 'instead of a prompt: a written plan to carry through, to its end')
    .option('--task <slug>', 'the task it works on (default: a new one)')
    .option('--worktree', 'in a checkout and branch of its own')
    .option('--wait', 'until it is over, as "guard agent await" does');
  acting(verb('await', 'wait until an agent is over, and say how it ended', '<id>', awaitCommand));
  acting(verb('kill', 'end an agent and what it drafted', '<id>', killCommand)).option(
    '--reason <text>',
    'for the record',
    'guard agent kill',
  );
  verb('list', 'who drafted whom, and how they are doing', '', listCommand)
    .option('--all', 'those that are over, too')
    .option('--watch', 'again whenever something happens, until Ctrl-C');
  verb('stats', 'which agent called which tool how often', '[id]', statsCommand);
}
