/** The command line as a whole: which command, loaded on use, and how it ends. */
import { Command, CommanderError } from 'commander';
import { type CommandRow, COMMANDS } from './commands.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { reportFailure } from './failure.ts';
import type { Shell } from './shell.ts';

const ABOUT = "Lets many coding agents work on one repository without destroying each other's work.";
const AFTER = `
guard hook reads one hook event on standard input; Claude Code starts it, people use "guard explain".

Exit codes: 0 yes, 1 no, 2 guard failed, 64 wrong usage.
`;

/** Runs one command line to its end and answers its exit code; never throws. */
export async function runProgram(
  argv: readonly string[],
  shell: Shell,
  version: string,
  commands: readonly CommandRow[] = COMMANDS,
): Promise<ExitCode> {
  try {
    const program = await programFor(argv, shell, version, commands);
    await program.parseAsync(argv, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.yes : EXIT.usage;
    return reportFailure(error, shell, argv.includes('--json'));
  }
}

async function programFor(
  argv: readonly string[],
  shell: Shell,
  version: string,
  commands: readonly CommandRow[],
): Promise<Command> {
  const program = shaped(new Command('guard'), shell)
    .description(ABOUT)
    .version(version, '-V, --version', 'print the version')
    .option('--no-color', 'no colors (NO_COLOR does the same)')
    .addHelpText('after', AFTER);
  const called = calledName(argv);
  for (const row of commands) {
    const command = shaped(
      program.command(row.name, { hidden: row.hidden === true }).description(row.summary),
      shell,
    );
    if (row.name !== called) continue;
    (await row.load()).define(command, shell, commands);
    shapeAll(command, shell);
  }
  return program;
}

/** The first operand; of `guard help lock` the second. No global option takes a value, so this is exact. */
function calledName(argv: readonly string[]): string | undefined {
  const operands = argv.filter((word) => !word.startsWith('-'));
  return operands[0] === 'help' ? operands[1] : operands[0];
}

/** Sub-commands made inside `define` inherit only some of the settings. */
function shapeAll(command: Command, shell: Shell): void {
  for (const sub of command.commands) shapeAll(shaped(sub, shell), shell);
}

function shaped(command: Command, shell: Shell): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: (text) => shell.out(text), writeErr: (text) => shell.err(text) })
    .configureHelp({ showGlobalOptions: true })
    .allowExcessArguments(false);
}
