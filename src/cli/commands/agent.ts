/** `guard agent draft|run|await|kill|send|list|stats`: agents that guard starts, and everything about them afterwards. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { AWAIT_AGENT } from '../../operations/awaiting.ts';
import {
  DRAFT_AND_AWAIT,
  DRAFTED_TREE,
  KILL_FOR,
  MESSAGE_AGENT,
  TOOL_COUNTS,
} from '../../operations/drafted.ts';
import { showEnded } from '../agent/ended.ts';
import { follow } from '../agent/follow.ts';
import { showTree } from '../agent/list.ts';
import { defineAfter } from '../agent/after.ts';
import { asDrafter, inHarness } from '../agent/places.ts';
import { planText } from '../agent/plan-text.ts';
import { defineRun } from '../agent/run.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';

/** The operand. */
const ID = {
  given: ({ args: [agentId] }: { readonly args: readonly string[] }) => ({ agentId }),
  flags: { agentId: 'ID' },
};

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command => command.command(name).description(summary);
  asDrafter(verb('draft', 'start an agent').argument('[prompt...]'), shell, DRAFT_AND_AWAIT, {
    given: ({ args, options: { plan } }) => ({
      prompt: args.length === 0 ? undefined : args.join(' '),
      plan: typeof plan === 'string' ? planText(resolve(shell.cwd, plan)) : undefined,
    }),
    options: {
      role: ['--role <name>', 'the role it plays: a file in rolesDir'],
      plan: ['--plan <file>', 'a written plan to carry out, instead of a prompt'],
      taskSlug: ['--task <slug>', 'the task it works on (default: a new one)'],
      worktree: ['--worktree', 'run in a separate checkout and branch'],
      name: ['--name <name>', 'a name to use instead of its id'],
      after: ['--after <id|task>', 'start after that agent, or after those on that task', { is_list: true }],
      anyway: ['--anyway', 'with --after: start even if one of them does not complete'],
      priority: ['--priority <number>', 'agents with a higher number start first: -9 to 9 (default: 0)'],
      wait: ['--wait', 'wait until it has ended, like "guard agent await"'],
    },
    waits: (to, space) => follow(to, space, {}),
    show(told, to) {
      if ('status' in told) showEnded.show(told, to);
      else {
        to.out(`${told.agentId}\n`);
        if (told.queued !== undefined) to.err(`${plain(told.queued.words)}\n`);
      }
    },
    isYes: (told) => !('status' in told) || showEnded.isYes(told),
  });
  defineRun(verb('run', 'carry out a plan of several agents'), shell);
  asDrafter(
    verb('await', 'wait until agents have ended, and show how').argument('<id...>'),
    shell,
    AWAIT_AGENT,
    {
      ...showEnded,
      given: ({ args }) => ({ agentId: args.length > 1 ? args : args[0] }),
      flags: { agentId: 'ID' },
      options: {
        first: ['--first', 'wait only until one of them has ended'],
        timeout_seconds: ['--timeout <duration>', 'wait at most this long', { unit_ms: 1_000 }],
      },
      waits: follow,
    },
  );
  asDrafter(verb('kill', 'end an agent and what it drafted').argument('<id>'), shell, KILL_FOR, {
    ...ID,
    options: { reason: ['--reason <text>', 'why, for the ledger (default: "guard agent kill")'] },
    show: ({ success, message }, { out, err }) => (success ? out : err)(`${plain(message)}\n`),
    isYes: ({ success }) => success,
  });
  asDrafter(
    verb('send', 'send a message to an agent; one that has ended is resumed')
      .argument('<id>')
      .argument('<text...>'),
    shell,
    MESSAGE_AGENT,
    {
      given: ({ args: [agentId, ...words] }) => ({ agentId, text: words.join(' ') }),
      flags: { agentId: 'ID', text: 'TEXT' },
      show({ agentId, status, queued }, { out, err }) {
        out(`${status} ${plain(agentId)}\n`);
        if (queued !== undefined) err(`${plain(queued.words)}\n`);
      },
    },
  );
  defineAfter(verb, shell, ID);
  inHarness(verb('list', 'list who drafted whom, and how they are doing'), shell, DRAFTED_TREE, {
    options: {
      all: ['--all', 'include those that have ended'],
      since_seconds: [
        '--since <duration>',
        'include those that ended within this time, such as 12h',
        { unit_ms: 1_000 },
      ],
    },
    watches: (space) => space,
    json: ({ agents, sums }) => ({ agents, sums }),
    show: showTree,
  });
  inHarness(
    verb('stats', 'show how often each agent called each tool').argument('[id]'),
    shell,
    TOOL_COUNTS,
    {
      ...ID,
      show({ tools }, { out }) {
        const rows = tools.map(({ calls, tool, role, agent }) => [
          String(calls),
          ...[tool, role, agent].map(plain),
        ]);
        out(table(rows, 'No tool was called yet.'));
      },
    },
  );
}
