/**
 * Every command, by name. A command is one file in commands/ that exports `define`; it is loaded only when it is
 * called. To add one: the file, and a row here.
 */
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

export interface CommandModule {
  /**
   * Declares arguments, options and the action on `command`. Use `act` (act.ts) for the action.
   * @param commands every command, for one that is about them
   */
  define(command: Command, shell: Shell, commands: readonly CommandRow[]): void;
}

export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** For programs: no help lists it, and no shell completes it. */
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
}

export const COMMANDS: readonly CommandRow[] = [
  { name: 'init', summary: 'guard this repository', load: () => import('./commands/init.ts') },
  { name: 'uninstall', summary: 'undo what init did', load: () => import('./commands/uninstall.ts') },
  { name: 'off', summary: 'let every write pass for a while', load: () => import('./commands/off.ts') },
  {
    name: 'doctor',
    summary: 'check the installation, end to end',
    load: () => import('./commands/doctor.ts'),
  },
  { name: 'lock', summary: 'take, give back and look at locks', load: () => import('./commands/lock.ts') },
  { name: 'status', summary: 'who is here, holds and waits', load: () => import('./commands/status.ts') },
  {
    name: 'reserve',
    summary: 'keep files by pattern for a while',
    load: () => import('./commands/reserve.ts'),
  },
  { name: 'unreserve', summary: 'give reservations back', load: () => import('./commands/unreserve.ts') },
  { name: 'reservations', summary: 'who reserved what', load: () => import('./commands/reservations.ts') },
  {
    name: 'conflicts',
    summary: 'whether patterns could be reserved now',
    load: () => import('./commands/conflicts.ts'),
  },
  { name: 'message', summary: 'write to other agents', load: () => import('./commands/message.ts') },
  {
    name: 'negotiate',
    summary: 'ask for a file that another agent holds, and answer',
    load: () => import('./commands/negotiate.ts'),
  },
  { name: 'agents', summary: 'who is here, by name', load: () => import('./commands/agents.ts') },
  {
    name: 'join',
    summary: 'be listed, and see who else is here',
    load: () => import('./commands/join.ts'),
  },
  { name: 'leave', summary: 'give everything back and go', load: () => import('./commands/leave.ts') },
  {
    name: 'mcp',
    summary: 'locks and coordination as an MCP server, for clients',
    load: () => import('./commands/mcp.ts'),
  },
  { name: 'serve', summary: 'coordination over HTTP', load: () => import('./commands/serve.ts') },
  {
    name: 'agent',
    summary: 'draft agents, wait for them, end them',
    load: () => import('./commands/agent.ts'),
  },
  { name: 'task', summary: 'what drafted agents work on', load: () => import('./commands/task.ts') },
  {
    name: 'deadlock',
    summary: 'find agents that wait in a circle',
    load: () => import('./commands/deadlock.ts'),
  },
  { name: 'log', summary: 'the ledger, record by record', load: () => import('./commands/log.ts') },
  {
    name: 'undo',
    summary: 'take back what somebody did to a file',
    load: () => import('./commands/undo.ts'),
  },
  {
    name: 'blame',
    summary: "which agent's write made which lines",
    load: () => import('./commands/blame.ts'),
  },
  { name: 'verify', summary: 'check every byte of the ledger', load: () => import('./commands/verify.ts') },
  {
    name: 'compact',
    summary: 'shorten the ledger, losing nothing that counts',
    load: () => import('./commands/compact.ts'),
  },
  {
    name: 'explain',
    summary: 'what guard would answer to a hook event, and why',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'replay',
    summary: 'run recorded sessions and compare decisions',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'git-hook',
    summary: 'what the pre-commit hook of git asks; git starts it',
    hidden: true,
    load: () => import('./commands/git-hook.ts'),
  },
  {
    name: 'completion',
    summary: 'a completion script for bash, zsh or fish',
    load: () => import('./commands/completion.ts'),
  },
];
