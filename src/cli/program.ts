/** The command line as a whole: selects the command, loads it, and turns its outcome into an exit code. */
import { Command, CommanderError } from 'commander';
import { type CommandRow, COMMANDS, HELP_GROUPS } from './commands.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { reportFailure } from './failure.ts';
import { pageAsked, withExamples } from './help-page.ts';
import type { Shell } from './shell.ts';
import { spelledOut } from './spelled-out.ts';
import { usageError } from './usage-error.ts';
import { wantsJson } from './wants-json.ts';

const ABOUT = "Lets many coding agents work on one repository without destroying each other's work.";
const BEFORE = `Examples:
  guard init                    guard this repository
  guard status                  who is here, and what they hold
  guard lock wait src/http.ts   take a lock as soon as it is free
`;
const AFTER = `
"guard help COMMAND" has examples of each command.

Exit codes: 0 yes, 1 no, 2 guard failed, 3 done but someone has to answer, 64 usage error.
`;

/** Runs one command line to its end and returns its exit code; never throws. */
export async function runProgram(
  typed: readonly string[],
  shell: Shell,
  version: string,
  commands: readonly CommandRow[] = COMMANDS,
): Promise<ExitCode> {
  try {
    const argv = spelledOut(typed, commands);
    const operands = argv.filter((word) => !word.startsWith('-'));
    const program = await programFor(operands, shell, version, commands);
    const page = pageAsked(program, argv, operands);
    const row = commands.find(({ name }) => name === called(operands));
    if (row !== undefined && (page !== null || argv.some((word) => word === '--help' || word === '-h')))
      await withExamples(program, row.name);
    if (page !== null) page.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return page === null ? shell.exitCode : EXIT.yes;
  } catch (error) {
    // Help, or the version: `shaped` turns every other ending of commander into a refusal.
    if (error instanceof CommanderError) return EXIT.yes;
    return reportFailure(error, shell, wantsJson(typed));
  }
}

async function programFor(
  operands: readonly string[],
  shell: Shell,
  version: string,
  commands: readonly CommandRow[],
): Promise<Command> {
  const program = shaped(new Command('guard'), shell)
    .description(ABOUT)
    .version(version, '-V, --version', 'print the version')
    .option('--no-color', 'no colors (NO_COLOR does the same)')
    .helpCommand(false)
    .addHelpText('before', BEFORE)
    .addHelpText('after', AFTER);
  for (const row of commands) {
    const command = shaped(program.command(row.name, { hidden: row.hidden === true }), shell)
      .description(row.summary)
      .helpGroup(`${row.group === undefined ? 'Commands' : HELP_GROUPS[row.group]}:`);
    if (row.name !== called(operands)) continue;
    (await row.load()).define(command, shell, commands);
    for (const [option, [, about]] of Object.entries(row.instead ?? {})) command.option(option, about);
    shapeAll(command, shell);
  }
  return program;
}

/** The first operand, or the second for `guard help lock`. No global option takes a value, so this is exact. */
const called = ([first, second]: readonly string[]): string | undefined =>
  first === 'help' ? second : first;

/** Subcommands created inside `define` inherit only some of the settings. */
function shapeAll(command: Command, shell: Shell): void {
  for (const sub of command.commands) shapeAll(shaped(sub, shell), shell);
}

/** Turns commander's complaint about a wrong line into an error of guard's, so that commander prints nothing itself. */
function shaped(command: Command, shell: Shell): Command {
  return command
    .exitOverride((error) => {
      throw error.exitCode === 0 && error.code !== 'commander.help' ? error : usageError(error, command);
    })
    .configureOutput({ writeOut: (text) => shell.out(text), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .allowExcessArguments(false);
}
