/**
 * The hook's command line, asked through a launcher that starts no Node (hooks/warm.pl): the same line with perl and that script before
 * its words, where both are there. Without them it is the line itself.
 */
import { shellWord } from '../core/shell-word.ts';
import { absoluteHookCommand, PROJECT_HOOK_COMMAND } from './command.ts';

const PERL = '/usr/bin/perl';
/** A perl that is told to load code, to taint or to read in layers could end before it has asked or started anything. */
const ASK = `[ -z "\${PERL5OPT+x}\${PERL_UNICODE+x}\${PERLIO+x}" ] && [ -x ${PERL} ] && [ -f "$W" ] && set -- ${PERL} "$W"; `;

/**
 * In the state directory, which a linked worktree's `.git` leads to: a path of this machine does not belong into a committed file. What
 * is relative there is so to the checkout, wherever the hook runs; two levels up is a state directory for linked worktrees alone.
 */
const IN_STATE =
  'W="${CLAUDE_PROJECT_DIR:-.}/.git"; [ -f "$W" ] && read -r _ W <"$W" && ' +
  'case $W in /*) ;; *) W="${CLAUDE_PROJECT_DIR:-.}/$W" ;; esac && [ -f "$W/commondir" ] && W="$W/../.."; W="$W/guard/warm.pl"; ';
const BY_PATH = /^W=((?:[\w@%+=:,./-]*|'(?:[^']|'\\'')*)\/dist\/)warm\.pl('?); $/;

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
  const cold = command.slice(at + ASK.length).replace('"$@" ', '');
  return isBeside(script, cold) && warmed(script, cold) === command ? cold : command;
}

/** A launcher by its path is that of the guard whose hook it is: another one could answer for it. */
function isBeside(script: string, cold: string): boolean {
  const [, dist, quote] = BY_PATH.exec(script) ?? [];
  return dist === undefined ? script === IN_STATE : cold.includes(`"$N" ${dist}hook.cjs${quote} guard`);
}

export const isWarmLine = (command: string): boolean => coldLine(command) !== command;
