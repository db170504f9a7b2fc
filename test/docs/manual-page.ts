/** The manual page, in roff, made from the command definitions. */
import type { CommandRow } from '../../src/cli/commands.ts';
import type { CompletionPlace, OptionWord } from '../../src/cli/completion/tree.ts';

export interface Manual {
  readonly version: string;
  readonly rows: readonly CommandRow[];
  /** Every command and sub-command, as in the completion scripts. */
  readonly places: readonly CompletionPlace[];
}

const EXITS = [
  ['0', 'yes: it worked, or nothing is in the way'],
  ['1', 'no: refused, in use, or something was found'],
  ['2', 'guard failed'],
  ['3', 'the agent has finished, and needs an answer'],
  ['64', 'usage error'],
] as const;

const FILES = [
  ['<git dir>/guard/', 'the ledger, baselines and kept contents of a repository'],
  ['.claude/settings.json', 'the hooks that guard init writes'],
  ['guard.config.json', 'configuration of the repository'],
  ['~/.local/state/guard/', 'your own ledger, for files outside guarded repositories'],
] as const;

export const manualPage = ({ version, rows, places }: Manual): string =>
  [
    `.TH GUARD 1 "" "guard ${version}" "User Commands"`,
    '.ad l\n.nh',
    '.SH NAME',
    'guard \\- keeps coding agents from overwriting each other',
    '.SH SYNOPSIS',
    '.B guard\n.I command\n[\\fIoptions\\fR] [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    text(
      'guard lets many coding agents work on one repository without destroying each other\'s work. It is a hook that denies a write over content the agent has not seen, a write to a file someone else has locked, and a write it cannot check. Run "guard init" in a repository to set it up, and "guard doctor" to check it.',
    ),
    '.SH COMMANDS',
    ...rows.filter(({ hidden }) => hidden !== true).flatMap((row) => sectionOf(row, places)),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, meaning]) => item(code, meaning)),
    '.SH FILES',
    ...FILES.flatMap(([name, meaning]) => item(name, meaning)),
    '.SH SEE ALSO',
    '.BR git (1),\n.BR flock (2)',
    '',
  ].join('\n');

function sectionOf({ name, summary }: CommandRow, places: readonly CompletionPlace[]): readonly string[] {
  const below = places.filter(({ at }) => at === name || at.startsWith(`${name} `));
  return [
    `.SS guard ${text(name)}`,
    text(sentence(summary)),
    ...below.flatMap(({ at, options }) => [
      ...(at === name ? [] : ['.PP', `.B guard ${text(at)}`]),
      ...(at === name ? '' : text(sentence(summaryOf(at, places)))).split('\n').filter((line) => line !== ''),
      ...options.filter(({ word }) => word !== '--help').flatMap(optionItem),
    ]),
  ];
}

/** A sub-command's line is listed under its parent command. */
function summaryOf(at: string, places: readonly CompletionPlace[]): string {
  const cut = at.lastIndexOf(' ');
  const above = places.find((place) => place.at === at.slice(0, cut));
  return above?.commands.find(({ word }) => word === at.slice(cut + 1))?.summary ?? '';
}

const optionItem = ({ word, summary, values }: OptionWord): readonly string[] =>
  item(values === null ? word : `${word} ${values.length === 0 ? 'VALUE' : values.join(', ')}`, summary);

const item = (tag: string, meaning: string): readonly string[] => ['.TP', `.B ${text(tag)}`, text(meaning)];

const sentence = (words: string): string =>
  words === '' ? '' : `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`;

/** Escapes roff: no line may begin with a control character, a backslash begins an escape, and a hyphen must stay one. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/gm, '\\&')
    .replaceAll('\n', ' ');
