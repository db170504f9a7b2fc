/** Replaces an option that means another command by that command. */
import type { CommandRow } from './commands.ts';

/** `guard agents --drafted` is `guard agent list`; with --help, the help of the command as typed is shown. */
export function spelledOut(argv: readonly string[], commands: readonly CommandRow[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const row = commands.find(({ name }) => name === argv[at]);
  const [option, instead] =
    Object.entries(row?.instead ?? {}).find(([flag]) => argv.indexOf(flag, at) > at) ?? [];
  if (option === undefined || instead === undefined || argv.includes('--help') || argv.includes('-h'))
    return argv;
  const rest = argv.slice(at + 1).filter((word) => word !== option);
  return [...argv.slice(0, at), ...instead[0], ...rest];
}
