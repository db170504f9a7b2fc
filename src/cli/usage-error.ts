/** Turns commander's complaint about a command line into an error of guard's: its code, the fault, and the next step. */
import type { Command, CommanderError } from 'commander';
import { nearest } from '../config/suggest.ts';
import { GuardError } from '../core/error.ts';

/** Commander writes `error: …`, followed by `(Did you mean …?)` if a known word is similar. */
export function usageError({ code, message }: CommanderError, command: Command): GuardError {
  const name = calledAs(command);
  if (code === 'commander.help') return needsVerb(command, name);
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  const near = /^\((.+)\)$/.exec(more.join(' ').trim())?.[1];
  const hint = near?.replace(/mean ([a-z][\w-]*)\?$/, `mean "${name} $1"?`) ?? nearChoice(first);
  const other = code === 'commander.excessArguments' ? OTHERS[name] : undefined;
  const field = fieldIn(first);
  return new GuardError(
    'GUARD_ERR_USAGE',
    sentence([first, ...(near === undefined ? more : [])].join(' ')),
    hint ?? other ?? `See "${name} --help".`,
    { ...(field === null ? {} : { field }), command: name },
  );
}

/** What words after a command that takes none were probably meant for. */
const OTHERS: Readonly<Record<string, string>> = {
  'guard agents': 'This lists who is here. For the agents that guard starts, see "guard agent --help".',
};

function nearChoice(message: string): string | undefined {
  const [, given = '', choices = ''] =
    /argument '([^']*)' is invalid\. Allowed choices are (.+)\.$/.exec(message) ?? [];
  const found = choices === '' ? null : nearest(given, choices.split(', '));
  return found === null ? undefined : `Did you mean ${found}?`;
}

const needsVerb = ({ commands }: Command, name: string): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `"${name}" needs one of ${commands.map((one) => one.name()).join(', ')}.`,
    `See "${name} --help".`,
    { field: 'command', command: name },
  );

/** For example `guard lock try`. */
export const calledAs = (command: Command): string =>
  command.parent === null ? command.name() : `${calledAs(command.parent)} ${command.name()}`;

/** The option in its long form, or the operand. */
function fieldIn(message: string): string | null {
  const option = /'(-[^']*)'/.exec(message)?.[1];
  if (option !== undefined) return /--[\w-]+/.exec(option)?.[0] ?? option;
  return /argument '([^']+)'/.exec(message)?.[1] ?? /command '([^']+)'/.exec(message)?.[1] ?? null;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
