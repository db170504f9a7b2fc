/** What a shell may complete, read from the command definitions. */
import { Command } from 'commander';
import type { Shell } from '../shell.ts';

/** The parts of a row of commands.ts that completion needs; commands.ts imports this file's users. */
export interface CompletedRow {
  /** Options that are replaced by another command. */
  readonly instead?: Readonly<Record<string, readonly [words: readonly string[], about: string]>>;
  readonly name: string;
  readonly summary: string;
  readonly hidden?: true;
  readonly load: () => Promise<{
    define(command: Command, shell: Shell, commands: readonly CompletedRow[]): void;
  }>;
}

export interface CompletionWord {
  readonly word: string;
  readonly summary: string;
}

/** An option; `values` is null if it takes none, and empty if anything may follow. */
export interface OptionWord extends CompletionWord {
  readonly values: readonly string[] | null;
}

/** One command, and what may follow it. */
export interface CompletionPlace {
  /** `lock try`; '' for guard itself. */
  readonly at: string;
  readonly commands: readonly CompletionWord[];
  readonly options: readonly OptionWord[];
}

const HELP: OptionWord = { word: '--help', summary: 'display help', values: null };
const GLOBAL: readonly OptionWord[] = [
  HELP,
  { word: '--version', summary: 'print the version', values: null },
  { word: '--no-color', summary: 'no colors', values: null },
];

/** Every command and subcommand; loads all of them. */
export async function completionPlaces(
  all: readonly CompletedRow[],
  shell: Shell,
): Promise<CompletionPlace[]> {
  const rows = all.filter(({ hidden }) => hidden !== true);
  const top = rows.map(({ name, summary }) => ({ word: name, summary }));
  const places: CompletionPlace[] = [
    {
      at: '',
      commands: top,
      options: GLOBAL,
    },
  ];
  for (const row of rows) {
    const command = new Command(row.name);
    (await row.load()).define(command, shell, rows);
    for (const [option, [, about]] of Object.entries(row.instead ?? {})) command.option(option, about);
    places.push(...placesIn(command, row.name, [HELP]));
  }
  return places;
}

/** @param above options that commands further up take, too */
function placesIn(command: Command, at: string, above: readonly OptionWord[]): CompletionPlace[] {
  const options = [...above, ...optionsOf(command)];
  const commands = command.commands.map((sub) => ({ word: sub.name(), summary: sub.description() }));
  const below = command.commands.flatMap((sub) => placesIn(sub, `${at} ${sub.name()}`, options));
  return [{ at, commands, options }, ...below];
}

const optionsOf = (command: Command): OptionWord[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description, required, optional, argChoices }) => ({
      word: long ?? short ?? '',
      summary: description,
      values: required || optional ? (argChoices ?? []) : null,
    }));
