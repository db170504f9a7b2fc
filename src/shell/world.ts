/** What is known about a shell at one point of a line. A state is never changed, only replaced. */
import type { SyntaxNode } from 'unbash';
import type { Argument } from './call.ts';
import { isUnknown, type Known, unknown } from './known.ts';
import { LIMITS } from './limits.ts';

export type VariableValue = Known | readonly Known[];

export interface World {
  /** Null if it is unknown. */
  readonly cwd: string | null;
  readonly old_cwd: string | null;
  /** The stack of `pushd`. */
  readonly pushed: readonly (string | null)[];
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** Variables of loops: the files they name are not written in the line. */
  readonly looped: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, Defined>;
  /** `$0`: the shell, a script, or the word after the text of `-c`. */
  readonly zero: Known;
  /** `$1` and so on. */
  readonly args: readonly Argument[];
  /** The enabled options of `shopt` and `set -o`. */
  readonly options: ReadonlySet<string>;
}

export interface Defined {
  readonly body: SyntaxNode;
  /** The text to which its positions refer. */
  readonly text: string;
}

export const isArray = (value: VariableValue | undefined): value is readonly Known[] => Array.isArray(value);

/** `$x` of an array is its first element. */
export function scalarOf(value: VariableValue): Known {
  return isArray(value) ? (value[0] ?? '') : value;
}

export const withVariable = (world: World, name: string, value: VariableValue): World =>
  withVariables(world, [[name, value]]);

export function withVariables(world: World, values: Iterable<readonly [string, VariableValue]>): World {
  const variables = new Map(world.variables);
  for (const [name, value] of values) variables.set(name, value);
  return { ...world, variables };
}

/** Sets all of them to the same value. */
export const withAll = (world: World, names: readonly string[], value: VariableValue): World =>
  withVariables(
    world,
    names.map((name) => [name, value] as const),
  );

export const withCwd = (world: World, cwd: string | null): World => ({ ...world, cwd, old_cwd: world.cwd });

/** The distinct states, up to a limit; beyond it, they are merged, and everything in which they differ is unknown. */
export function distinct(worlds: readonly World[]): readonly World[] {
  const [first, ...more] = worlds;
  if (first === undefined || more.every((world) => world === first)) return worlds.slice(0, 1);
  const found = [...new Map(worlds.map((world) => [keyOf(world), world])).values()];
  return found.length <= LIMITS.worlds ? found : [found.reduce(agreed)];
}

const keyOf = ({ cwd, pushed, variables, functions, args, options }: World): string =>
  JSON.stringify([
    cwd,
    pushed,
    [...variables].sort(([a], [b]) => (a < b ? -1 : 1)),
    [...functions].map(([name, { body }]) => [name, body.pos, body.end]),
    args.map(({ text }) => text),
    [...options],
  ]);

function agreed(one: World, other: World): World {
  const variables = new Map<string, VariableValue>();
  for (const name of new Set([...one.variables.keys(), ...other.variables.keys()])) {
    const [a, b] = [one.variables.get(name), other.variables.get(name)];
    variables.set(name, a !== undefined && JSON.stringify(a) === JSON.stringify(b) ? a : unknown('variable'));
  }
  return { ...one, cwd: one.cwd === other.cwd ? one.cwd : null, variables };
}

/** The state after a part of a line that may run any number of times. */
export function blurred(before: World, after: World): World {
  const changed = [...after.variables].filter(([name, value]) => before.variables.get(name) !== value);
  const open = changed.filter(([, value]) => isArray(value) || !isUnknown(value));
  const cwd = before.cwd === after.cwd ? after.cwd : null;
  const names = open.map(([name]) => name);
  return withAll({ ...after, cwd }, names, unknown('variable'));
}
