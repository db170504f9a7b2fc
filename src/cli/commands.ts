/**
 * Every command, by name. A command is one file in commands/ that exports `define`; it is loaded only when it is
 * called. To add one: the file, and a row here.
 */
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

export interface CommandModule {
  /** Declares arguments, options and the action on `command`. Use `act` (act.ts) for the action. */
  define(command: Command, shell: Shell): void;
}

export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

export const COMMANDS: readonly CommandRow[] = [
  { name: 'init', summary: 'guard this repository', load: () => import('./commands/init.ts') },
  { name: 'uninstall', summary: 'undo what init did', load: () => import('./commands/uninstall.ts') },
  { name: 'off', summary: 'let every write pass for a while', load: () => import('./commands/off.ts') },
];
