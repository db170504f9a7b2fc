/**
 * Every command, by name. A command is one file in commands/ that exports `define`; it is loaded only when it is
 * called. To add one: the file, and a row here.
 */
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

interface CommandModule {
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

const row = (name: string, summary: string, load: CommandRow['load']): CommandRow => ({
  name,
  summary,
  load,
});

export const COMMANDS: readonly CommandRow[] = [
  row('init', 'guard this repository', () => import('./commands/init.ts')),
  row('uninstall', 'undo what init did', () => import('./commands/uninstall.ts')),
  row('off', 'let every write pass for a while', () => import('./commands/off.ts')),
  row('doctor', 'check the installation, end to end', () => import('./commands/doctor.ts')),
  row('lock', 'take, give back and look at locks', () => import('./commands/lock.ts')),
  row('status', 'who is here, holds and waits', () => import('./commands/status.ts')),
  row(
    'statusline',
    'one line about a session, for the status line of its client',
    () => import('./commands/statusline.ts'),
  ),
  row('reserve', 'keep files by pattern for a while', () => import('./commands/reserve.ts')),
  row('unreserve', 'give reservations back', () => import('./commands/unreserve.ts')),
  row('reservations', 'who reserved what', () => import('./commands/reservations.ts')),
  row('conflicts', 'whether patterns could be reserved now', () => import('./commands/conflicts.ts')),
  row(
    'forecast',
    'what would conflict if all checkouts were merged now',
    () => import('./commands/forecast.ts'),
  ),
  row('message', 'write to other agents', () => import('./commands/message.ts')),
  row(
    'negotiate',
    'ask for a file that another agent holds, and answer',
    () => import('./commands/negotiate.ts'),
  ),
  row('agents', 'who is here, by name', () => import('./commands/agents.ts')),
  row('join', 'be listed, and see who else is here', () => import('./commands/join.ts')),
  row('leave', 'give everything back and go', () => import('./commands/leave.ts')),
  row('mcp', 'locks and coordination as an MCP server, for clients', () => import('./commands/mcp.ts')),
  row('serve', 'coordination over HTTP', () => import('./commands/serve.ts')),
  row('fleet', 'one ledger for agents on several machines', () => import('./commands/fleet.ts')),
  row('agent', 'draft agents, wait for them, end them', () => import('./commands/agent.ts')),
  row('role', 'who agents can be drafted as', () => import('./commands/role.ts')),
  row('task', 'what drafted agents work on', () => import('./commands/task.ts')),
  row('worktree', 'a worktree as the client would make it', () => import('./commands/worktree.ts')),
  row('deadlock', 'find agents that wait in a circle', () => import('./commands/deadlock.ts')),
  row('log', 'the ledger, record by record', () => import('./commands/log.ts')),
  row('undo', 'take back what somebody did to a file', () => import('./commands/undo.ts')),
  row('blame', "which agent's write made which lines", () => import('./commands/blame.ts')),
  row('verify', 'check every byte of the ledger', () => import('./commands/verify.ts')),
  row('compact', 'shorten the ledger, losing nothing that counts', () => import('./commands/compact.ts')),
  row('explain', 'what guard would answer to a hook event, and why', () => import('./commands/explain.ts')),
  row('check', 'whether a commit would take files of others', () => import('./commands/check.ts')),
  row(
    'simulate',
    'what guard would have denied in past sessions, and what was lost',
    () => import('./commands/simulate.ts'),
  ),
  row('replay', 'run recorded sessions and compare decisions', () => import('./commands/replay.ts')),
  {
    ...row(
      'git-hook',
      'what the pre-commit hook of git asks; git starts it',
      () => import('./commands/git-hook.ts'),
    ),
    hidden: true,
  },
  row(
    'completion',
    'a completion script for bash, zsh, fish or PowerShell',
    () => import('./commands/completion.ts'),
  ),
];
