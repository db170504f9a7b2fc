/**
 * Every command, by name. A command is one file in commands/ that exports `define`; it is loaded only when called. To add
 * one: write the file, and add a row here.
 */
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

interface CommandModule {
  /**
   * Declares arguments, options and the action on `command`. Use `act` (act.ts) for the action.
   * @param commands every command, for commands about commands
   */
  define(command: Command, shell: Shell, commands: readonly CommandRow[]): void;
}

/** The groups in which help lists them. */
export const HELP_GROUPS = {
  set_up: 'Set up',
  every_day: 'Every day',
  agents: 'Agents',
  ledger: 'Ledger',
  programs: 'Programs',
} as const;

export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly group?: keyof typeof HELP_GROUPS;
  /** Options that are replaced by another command. */
  readonly instead?: Readonly<Record<string, readonly [words: readonly string[], about: string]>>;
  /** For programs: not listed in help or completed by shells. */
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
}

type Named = readonly [name: string, summary: string, load: CommandRow['load']];

const rows = (group: keyof typeof HELP_GROUPS, named: readonly Named[]): readonly CommandRow[] =>
  named.map(([name, summary, load]) => ({ name, summary, group, load }));

const SET_UP = rows('set_up', [
  ['init', 'set up guard in this repository', () => import('./commands/init.ts')],
  ['uninstall', 'undo what init did', () => import('./commands/uninstall.ts')],
  ['off', 'let every write pass for a while', () => import('./commands/off.ts')],
  ['doctor', 'check the installation end to end', () => import('./commands/doctor.ts')],
  ['fleet', 'share one ledger between several machines', () => import('./commands/fleet.ts')],
  [
    'completion',
    'print a completion script for bash, zsh, fish or PowerShell',
    () => import('./commands/completion.ts'),
  ],
]);

const EVERY_DAY = rows('every_day', [
  ['status', 'show who is here, who holds what, and who waits', () => import('./commands/status.ts')],
  ['watch', 'print a line, or notify, when something needs a person', () => import('./commands/watch.ts')],
  ['lock', 'take, release and inspect locks', () => import('./commands/lock.ts')],
  ['reserve', 'reserve files by pattern for a while', () => import('./commands/reserve.ts')],
  ['unreserve', 'release reservations', () => import('./commands/unreserve.ts')],
  ['reservations', 'list reservations', () => import('./commands/reservations.ts')],
  ['conflicts', 'check whether patterns could be reserved now', () => import('./commands/conflicts.ts')],
  ['message', 'write to other agents', () => import('./commands/message.ts')],
  [
    'negotiate',
    'ask for a file that another agent holds, and answer',
    () => import('./commands/negotiate.ts'),
  ],
  ['deadlock', 'find agents that wait for each other in a cycle', () => import('./commands/deadlock.ts')],
  [
    'forecast',
    'show what would conflict if all checkouts were merged now',
    () => import('./commands/forecast.ts'),
  ],
  [
    'check',
    'check whether a commit would include files that others hold',
    () => import('./commands/check.ts'),
  ],
  ['undo', 'revert what someone did to a file', () => import('./commands/undo.ts')],
  ['blame', 'show which agent wrote which lines', () => import('./commands/blame.ts')],
]);

const AGENTS = rows('agents', [
  ['join', 'register this agent, and see who else is here', () => import('./commands/join.ts')],
  ['leave', 'release everything and leave', () => import('./commands/leave.ts')],
  ['agent', 'start agents, wait for them, end them', () => import('./commands/agent.ts')],
  ['role', 'list and approve the roles that agents can be started with', () => import('./commands/role.ts')],
  ['task', 'the work of started agents, and their reports', () => import('./commands/task.ts')],
  ['worktree', 'create a worktree as the client would', () => import('./commands/worktree.ts')],
]);

const LEDGER = rows('ledger', [
  ['log', 'show the ledger, record by record', () => import('./commands/log.ts')],
  ['verify', 'check every byte of the ledger', () => import('./commands/verify.ts')],
  [
    'compact',
    'shorten the ledger without losing anything that matters',
    () => import('./commands/compact.ts'),
  ],
  ['explain', 'show what guard would answer to a hook event, and why', () => import('./commands/explain.ts')],
  [
    'simulate',
    'show what guard would have denied in past sessions, and what was lost',
    () => import('./commands/simulate.ts'),
  ],
  ['replay', 'run recorded sessions and compare decisions', () => import('./commands/replay.ts')],
]);

const PROGRAMS = rows('programs', [
  ['mcp', 'serve locks and coordination to clients over MCP', () => import('./commands/mcp.ts')],
  ['serve', 'serve coordination over HTTP', () => import('./commands/serve.ts')],
  ['hook', 'answer one hook event; Claude Code starts it', () => import('./commands/hook.ts')],
  [
    'statusline',
    'print one line about a session, for the status line of its client',
    () => import('./commands/statusline.ts'),
  ],
]);

export const COMMANDS: readonly CommandRow[] = [
  ...SET_UP,
  ...EVERY_DAY,
  {
    name: 'agents',
    summary: 'list who is here, by name',
    group: 'agents',
    instead: {
      '--drafted': [['agent', 'list'], 'list the agents that guard started, like "guard agent list"'],
    },
    load: () => import('./commands/agents.ts'),
  },
  ...AGENTS,
  ...LEDGER,
  ...PROGRAMS,
  {
    name: 'git-hook',
    summary: 'check a commit or a push before it is made; git starts it',
    hidden: true,
    load: () => import('./commands/git-hook.ts'),
  },
];
