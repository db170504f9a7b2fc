/**
 * The hook's command line, asked through a launcher that starts no Node (hooks/warm.pl): the same line with perl and that script before
 * its words, where both are there. Without them it is the line itself.
 */
import { shellWord } from '../core/shell-word.ts';
import { absoluteHookCommand, PROJECT_HOOK_COMMAND } from './command.ts';

const PERL = '/usr/bin/perl';
const ASK = `[ -x ${PERL} ] && [ -f "$W" ] && set -- ${PERL} "$W"; `;

/** In the state directory, which a linked worktree's `.git` leads to: a path of this machine does not belong into a committed file. */
const IN_STATE = `W="\${CLAUDE_PROJECT_DIR:-.}/.git"; [ -f "$W" ] && read -r _ W <"$W" && W="$W/../.."; W="$W/guard/warm.pl"; `;
const BY_PATH = /^W=(?:[\w@%+=:,./-]*\/dist\/warm\.pl|'(?:[^']|'\\'')*\/dist\/warm\.pl'); $/;

/** Before the program's name, and behind what is set for it alone. */
const PROGRAM = /(^|\|\| N=node; )((?:\w+= )*)(?="\$N"|node )/;

interface Wanted {
  readonly is_warm: boolean;
  /** Absolute path of the Node that runs now. */
  readonly node: string;
  readonly guard_root: string;
}

/** Without its ending, as those of command.ts. */
export const projectLine = ({ is_warm }: Pick<Wanted, 'is_warm'>): string =>
  is_warm ? warmed(IN_STATE, PROJECT_HOOK_COMMAND) : PROJECT_HOOK_COMMAND;

export function absoluteLine({ is_warm, node, guard_root }: Wanted): string {
  const cold = absoluteHookCommand(node, guard_root);
  return is_warm ? warmed(`W=${shellWord(`${guard_root}/dist/warm.pl`)}; `, cold) : cold;
}

const warmed = (script: string, cold: string): string =>
  `${script}${ASK}${cold.replace(PROGRAM, '$1$2"$@" ')}`;

/** The line that it is where nobody answers; every other line as it is. */
export function coldLine(command: string): string {
  const at = command.indexOf(ASK);
  if (at < 0) return command;
  const script = command.slice(0, at);
  const isOurs = script === IN_STATE || BY_PATH.test(script);
  return isOurs ? command.slice(at + ASK.length).replace('"$@" ', '') : command;
}

export const isWarmLine = (command: string): boolean => coldLine(command) !== command;
