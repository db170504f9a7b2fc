/** The whole command line, declared and without effect, for tests that only read command lines. */
import { Command } from 'commander';
import { COMMANDS } from '../../src/cli/commands.ts';
import { SILENT_SHELL } from './silent-shell.ts';

/** Every command with its subcommands, or just one of them. None of them does anything. */
export async function declared(only?: string): Promise<Command> {
  const program = quiet(new Command('guard'));
  for (const row of COMMANDS.filter(({ name }) => only === undefined || name === only)) {
    const command = program.command(row.name);
    (await row.load()).define(command, SILENT_SHELL, COMMANDS);
    inert(command);
  }
  return program;
}

const quiet = (command: Command): Command =>
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });

function inert(command: Command): void {
  if (command.commands.length === 0) quiet(command).action(() => undefined);
  command.commands.forEach(inert);
}

/** Splits a line into words as a shell does, without comments, pipes and redirections. */
export const wordsIn = (line: string): readonly string[] =>
  [...line.replace(/ (?:[<>|]|#) ?.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
