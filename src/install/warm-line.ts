/**
 * The hook's command line, run through a launcher that starts no Node (native/warm.c, hooks/warm.pl): the same line, with
 * that launcher prepended if it exists. Without the launcher, the line runs unchanged.
 */
import { shellWord } from '../core/shell-word.ts';
import { absoluteHookCommand, PROJECT_HOOK_COMMAND } from './command.ts';

const PERL = '/usr/bin/perl';
const asking = (before_perl: string): string =>
  'if [ -x "$W" ]; then set -- "$W"; ' +
  `elif [ -z "\${PERL5OPT+x}\${PERL_UNICODE+x}\${PERLIO+x}" ] && [ -x ${PERL} ] && [ -f "$W.pl" ]; then ${before_perl}set -- ${PERL} "$W.pl"; fi; `;
/**
 * A program, or a perl script if there is none for the machine. A perl that is told to load code, to taint or to read in
 * layers could exit before it has asked or started anything. Without PERL_BADLANG it warns about a locale that is not
 * installed, before it reads the script.
 */
const ASK = asking('export PERL_BADLANG="${PERL_BADLANG-}"; ');
/** Lines of earlier versions, in settings that were written once. */
const ASKS = [ASK, asking('')];

/** In the state directory, the link or script that leads to the launcher; a script ends in `.pl`. */
export const IN_STATE = 'warm-hook';

/**
 * Found through a linked worktree's `.git`: a path of this machine must not be committed. A relative one is relative to the
 * checkout, wherever the hook runs; only linked worktrees have their state two levels up.
 */
const FROM_STATE =
  'W="${CLAUDE_PROJECT_DIR:-.}/.git"; [ -f "$W" ] && read -r _ W <"$W" && ' +
  `case $W in /*) ;; *) W="\${CLAUDE_PROJECT_DIR:-.}/$W" ;; esac && [ -f "$W/commondir" ] && W="$W/../.."; W="$W/guard/${IN_STATE}"; `;
const BY_PATH = /^W=((?:[\w@%+=:,./-]*|'(?:[^']|'\\'')*)\/dist\/)warm(?:-linux-(?:x64|arm64))?('?); $/;

/** Before the program's name, and after the variables set for it alone. */
const PROGRAM = /(^|\|\| N=node; )((?:\w+= )*)(?="\$N"|node )/;

interface Wanted {
  readonly is_warm: boolean;
  /** Absolute path of the Node that is running. */
  readonly node: string;
  readonly guard_root: string;
}

/** In `dist`: the program for this machine, or else `warm`, which is a script's name without its extension. */
export const launcherName = (platform: string = process.platform, arch: string = process.arch): string =>
  platform === 'linux' && /^(?:x64|arm64)$/.test(arch) ? `warm-linux-${arch}` : 'warm';

/** Without the part that denies on failure, like the lines of command.ts. */
export const projectLine = ({ is_warm }: Pick<Wanted, 'is_warm'>): string =>
  is_warm ? warmed(FROM_STATE, PROJECT_HOOK_COMMAND) : PROJECT_HOOK_COMMAND;

export function absoluteLine({ is_warm, node, guard_root }: Wanted, launcher = launcherName()): string {
  const cold = absoluteHookCommand(node, guard_root);
  return is_warm ? warmed(`W=${shellWord(`${guard_root}/dist/${launcher}`)}; `, cold) : cold;
}

const warmed = (script: string, cold: string, ask = ASK): string =>
  `${script}${ask}${cold.replace(PROGRAM, '$1$2"$@" ')}`;

/** The line without its launcher; any other line unchanged. */
export function coldLine(command: string): string {
  const ask = ASKS.find((one) => command.includes(one));
  if (ask === undefined) return command;
  const at = command.indexOf(ask);
  const script = command.slice(0, at);
  const cold = command.slice(at + ask.length).replace('"$@" ', '');
  return isBeside(script, cold) && warmed(script, cold, ask) === command ? cold : command;
}

/** A launcher given by path must belong to the guard whose hook it starts: another one could answer for it. */
function isBeside(script: string, cold: string): boolean {
  const [, dist, quote] = BY_PATH.exec(script) ?? [];
  return dist === undefined ? script === FROM_STATE : cold.includes(`"$N" ${dist}hook.cjs${quote} guard`);
}

export const isWarmLine = (command: string): boolean => coldLine(command) !== command;
