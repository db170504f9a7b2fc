/** The values of variables. */
import type { Here } from './here.ts';
import { type Known, unknown } from './known.ts';
import type { VariableValue, World } from './world.ts';

/**
 * Variables that the client passes to every shell and that no start-up file changes. All others may have any value:
 * Claude's shell begins with a snapshot of the user's.
 */
const CERTAIN = ['TMPDIR', 'CLAUDE_PROJECT_DIR', 'USER', 'LOGNAME'] as const;

export function certainVariables({ home, env }: Here['start']): ReadonlyMap<string, VariableValue> {
  const values = CERTAIN.map((name) => [name, env[name]] as const);
  return new Map<string, VariableValue>([
    ['HOME', home],
    ...values.filter((entry): entry is [(typeof CERTAIN)[number], string] => entry[1] !== undefined),
  ]);
}

/** For names that the line itself creates and uses (`/tmp/fix_$$.py`); no process number has this many digits. */
const PID = '999999999';

/** Several values: `$@`, `${a[@]}`. Undefined if neither the line nor the client sets it. */
export function variableValue(name: string, world: World, { start }: Here): VariableValue | undefined {
  if (/^\d+$/.test(name)) return positional(Number(name), world);
  if (name === 'BASH_SOURCE') return world.zero;
  if (name === '@' || name === '*')
    return world.args.map(({ text, reason }) => text ?? unknown(reason ?? 'variable'));
  if (name === '$') return PID;
  if (name === '#') return String(world.args.length);
  if (name === 'PWD') return world.cwd ?? unknown('directory');
  if (name === 'OLDPWD') return world.old_cwd ?? unknown('directory');
  const known = world.variables.get(name);
  if (known !== undefined) return known;
  return /^\W$|^_$/.test(name) || SET_BY_SHELL.has(name) || start.env[name] !== undefined
    ? unknown('variable')
    : undefined;
}

const SET_BY_SHELL = new Set([
  ...['RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID', 'BASHPID', 'HOSTNAME', 'HOSTTYPE'],
  ...['OSTYPE', 'MACHTYPE', 'SHLVL', 'SHELL', 'PATH', 'REPLY', 'OPTARG', 'OPTIND', 'IFS'],
  ...['EPOCHSECONDS', 'EPOCHREALTIME'],
  ...['BASH', 'BASH_VERSION', 'FUNCNAME', 'PIPESTATUS', 'DIRSTACK', 'HOST', 'LANG', 'TERM'],
]);

function positional(nth: number, { args, zero }: World): Known {
  if (nth === 0) return zero;
  const arg = args[nth - 1];
  return arg === undefined ? '' : (arg.text ?? unknown(arg.reason ?? 'variable'));
}
