import type { Examples } from './example.ts';

export const AGENT_EXAMPLES: Examples = {
  agents: {
    examples: [
      ['guard agents', 'everyone who works here'],
      ['guard agents --capability review,docs', 'only those with one of these'],
      ['guard agents --name ann --status "on the router"', 'describe yourself first'],
      ['guard agents --drafted', 'the agents that guard started'],
    ],
    see_also: 'Starting agents, and waiting for them: "guard agent".\n',
  },
  join: {
    examples: [
      ['guard join', 'register this agent, and see who else is here'],
      ['guard join --name ann --can review,docs', 'with a name and what you can do'],
      ['guard join --status "on the router" --json', 'with what you are doing'],
    ],
  },
  leave: {
    examples: [
      ['guard leave', 'release everything'],
      ['guard leave --json', 'print what was released'],
      ['guard leave --agent ci-4', 'for an agent without a session'],
    ],
  },
  agent: {
    examples: [
      ['guard agent draft --role dev "Fix the flaky test"', 'start one; prints its id'],
      [
        'guard agent draft --role dev --worktree --wait "Fix it"',
        'start one in a worktree, and wait for its end',
      ],
      ['guard agent run plan.json', 'start several agents, in the order of a plan'],
      ['guard agent await ID --timeout 10m', 'wait for it'],
      ['guard agent list --watch', 'keep a list of them on screen'],
      ['guard agent send ID "Use the other library"', 'send it a message'],
      ['guard agent kill ID --reason stuck', 'end it'],
      ['guard agent logs ID --follow', 'what it says and does'],
      ['guard agent attach ID', 'continue it in your terminal'],
      ['guard agent changes', 'what agents left in worktrees'],
      ['guard agent merge ID --squash', 'merge its work into this checkout'],
      ['guard agent discard ID', 'discard its work'],
      ['guard agent prune', 'what could be removed'],
      ['guard agent stats', 'how often each tool was called'],
    ],
    see_also: 'Everyone who works here, drafted or not: "guard agents".\n',
  },
  role: {
    examples: [
      ['guard role list', 'roles that agents can be started with'],
      ['guard role approve dev', 'show what its worktrees would run'],
      ['guard role approve dev --digest DIGEST', 'approve exactly what was shown'],
    ],
  },
  task: {
    examples: [
      ['guard task create router --description "A new router"', 'create a task'],
      ['guard task list', 'every task'],
      ['guard task context router', 'what is known about a task'],
    ],
  },
  worktree: {
    examples: [
      ['guard worktree add router', 'create it, and print its path'],
      ['guard worktree add router --json', 'with its branch, for a program'],
      ['guard worktree add router --agent ci-4', 'for an agent without a session'],
    ],
  },
};
