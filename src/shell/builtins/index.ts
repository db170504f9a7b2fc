/** Builtins that change the shell, by name. Those that only print, or do nothing, are treated as ordinary commands. */
import type { Builtin } from './builtin.ts';
import { command, evaluate, exec, exit, leaveFunction, printf, source, trap } from './control.ts';
import { declare, getopts, letCommand, mapfile, read, set, shift, shopt, unset } from './declare.ts';
import { cd, popd, pushd } from './directories.ts';

const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...{ cd, chdir: cd, pushd, popd },
  ...{ export: declare, local: declare, readonly: declare, declare, typeset: declare },
  ...{ unset, read, mapfile, readarray: mapfile, set, shift, shopt, getopts, let: letCommand },
  ...{ eval: evaluate, source, '.': source, exec, command, builtin: command },
  ...{ exit, return: leaveFunction, trap, printf },
};

export const builtinFor = (name: string): Builtin | undefined =>
  Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
