/** What a shell knows at one point of a line. Never changed, only followed by another. */
import type { SyntaxNode } from 'unbash';
import type { Argument } from './call.ts';
import { isUnknown, type Known, unknown } from './known.ts';
import { LIMITS } from './limits.ts';

export type VariableValue = Known | readonly Known[];

export interface World {
  /** Null: nobody can tell. */
  readonly cwd: string | null;
  readonly old_cwd: string | null;
  /** Of `pushd`. */
  readonly pushed: readonly (string | null)[];
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** Variables that a loop goes through: what they name was not written out. */
  readonly looped: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, Defined>;
  /** `$0`: the shell, a script, what follows the text of `-c`. */
  readonly zero: Known;
  /** `$1` and so on. */
  readonly args: readonly Argument[];
  /** Of `shopt` and `set -o`, where they are on. */
  readonly options: ReadonlySet<string>;
}

export interface Defined {
  readonly body: SyntaxNode;
  /** The text that its positions count in. */
  readonly text: string;
}

export const isArray = (value: VariableValue | undefined): value is readonly Known[] => Array.isArray(value);

/** `$x` of an array is its first. */
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

/** Each of them the same. */
export const withAll = (world: World, names: readonly string[], value: VariableValue): World =>
  withVariables(
    world,
    names.map((name) => [name, value] as const),
  );

export const withCwd = (world: World, cwd: string | null): World => ({ ...world, cwd, old_cwd: world.cwd });

/** Different states once each, and not too many: from there on, what they do not agree on is unknown. */
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

/** What a part of a line that may run any number of times leaves behind. */
export function blurred(before: World, after: World): World {
  const changed = [...after.variables].filter(([name, value]) => before.variables.get(name) !== value);
  const open = changed.filter(([, value]) => isArray(value) || !isUnknown(value));
  const cwd = before.cwd === after.cwd ? after.cwd : null;
  const names = open.map(([name]) => name);
  return withAll({ ...after, cwd }, names, unknown('variable'));
}
