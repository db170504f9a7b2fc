/** Which help page a command line asks for, and the examples on it. */
import type { Command } from 'commander';
import { GuardError } from '../core/error.ts';
import { nearest } from '../config/suggest.ts';
import { calledAs } from './usage-error.ts';

/**
 * Handles `guard`, `guard help lock try` and `guard lock help try`. `null` if none is asked for, or commander handles it.
 * @throws GuardError GUARD_ERR_USAGE for an unknown command, whatever else the line contains
 */
export function pageAsked(
  program: Command,
  argv: readonly string[],
  operands: readonly string[],
): Command | null {
  const [first, second, ...more] = operands;
  if (first === undefined) return argv.every((word) => word === '--no-color') ? program : null;
  if (first === 'help') return commandAt(program, operands.slice(1));
  const command = commandAt(program, [first]);
  return second === 'help' && command.commands.length > 0 ? commandAt(command, more) : null;
}

function commandAt(from: Command, names: readonly string[]): Command {
  const [name, ...more] = names;
  if (name === undefined) return from;
  const next = from.commands.find((one) => one.name() === name || one.aliases().includes(name));
  if (next !== undefined) return commandAt(next, more);
  // After a command without subcommands, extra operands are reported by others, if at all.
  const all = from.commands.map((one) => one.name());
  const near = nearest(name, all);
  throw new GuardError(
    'GUARD_ERR_USAGE',
    all.length === 0 ? `"${calledAs(from)}" has no sub-commands.` : `Unknown command '${name.slice(0, 80)}'.`,
    near === null ? `See "${calledAs(from)} --help".` : `Did you mean "${calledAs(from)} ${near}"?`,
    { field: name.slice(0, 80), command: calledAs(from) },
  );
}

/** Adds a command's examples to the top of its page, and to each subcommand's page those that call it. */
export async function withExamples(program: Command, name: string): Promise<void> {
  const { EXAMPLES } = await import('./examples/examples.ts');
  const { SUB_COMMAND_EXAMPLES } = await import('./examples/sub-commands.ts');
  const { examples = [], see_also } = EXAMPLES[name] ?? {};
  const put = (command: Command): void => {
    const own =
      command.parent === program
        ? examples
        : [
            ...examples.filter(([line]) => `${line} `.startsWith(`${calledAs(command)} `)),
            ...(SUB_COMMAND_EXAMPLES[calledAs(command).replace(/^guard /, '')] ?? []),
          ];
    const wide = Math.max(0, ...own.map(([line]) => line.length));
    const lines = own.map(([line, about]) => `  ${line.padEnd(wide)}   ${about}\n`);
    if (own.length > 0) command.addHelpText('before', `Examples:\n${lines.join('')}`);
    if (see_also !== undefined) command.addHelpText('after', `\n${see_also}`);
    command.commands.forEach(put);
  };
  program.commands.filter((one) => one.name() === name).forEach(put);
}
