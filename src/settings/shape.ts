/** The shape a value must have for the client to keep its settings file. Pure. */
import { isObject } from '../core/json-object.ts';

/**
 * A leaf by its name; a word from a list; a number between two inclusive bounds; a text that matches a pattern; a list;
 * an object with any keys; an object with known keys, some of them required (others pass); one of several. Lenient: a
 * value of another type passes.
 */
export type Shape =
  | 'any'
  | 'string'
  | 'boolean'
  | 'number'
  | 'url'
  | { readonly one_of: string; readonly lenient?: true }
  | { readonly number: Bounds }
  | { readonly whole: Bounds }
  | { readonly like: string }
  | { readonly list: Shape; readonly least?: number; readonly lenient?: true }
  | { readonly map: Shape; readonly lenient?: true }
  | { readonly fields: ShapeFields; readonly needs?: string; readonly lenient?: true }
  | { readonly any_of: readonly Shape[] };

export type ShapeFields = Readonly<Record<string, Shape>>;

/** Fields with the same shape, named by the words of a text. */
export const each = (shape: Shape, names: string): ShapeFields =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));

type Bounds = readonly [least: number, most: number];

/** A value that the client refuses. `at` is like `permissions.allow`, `hooks.PreToolUse[0].hooks[1].if`. */
export interface ShapeFault {
  readonly at: string;
  readonly reason: string;
}

const NONE: readonly ShapeFault[] = [];

export function faultsOf(value: unknown, shape: Shape, at: string): readonly ShapeFault[] {
  if (typeof shape === 'string') return leafFaults(value, shape, at);
  if ('one_of' in shape) {
    const fits = typeof value === 'string' ? shape.one_of.split(' ').includes(value) : shape.lenient === true;
    return check(fits, at, `one of "${shape.one_of.replaceAll(' ', '", "')}"`, value);
  }
  if ('number' in shape) return check(isWithin(value, shape.number), at, rangeOf(shape.number), value);
  if ('whole' in shape) {
    const fits = isWithin(value, shape.whole) && Number.isInteger(value);
    return check(fits, at, `a whole ${rangeOf(shape.whole)}`, value);
  }
  if ('like' in shape) {
    const fits = typeof value === 'string' && new RegExp(shape.like).test(value);
    return check(fits, at, 'a string of another form', value);
  }
  if ('any_of' in shape) {
    const fits = shape.any_of.some((one) => faultsOf(value, one, at).length === 0);
    return check(fits, at, 'a value of another form', value);
  }
  return 'list' in shape ? listFaults(value, shape, at) : objectFaults(value, shape, at);
}

const LEAVES: Readonly<Record<Extract<Shape, string>, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  url: (value) => typeof value === 'string' && URL.canParse(value),
};

const leafFaults = (value: unknown, leaf: Extract<Shape, string>, at: string): readonly ShapeFault[] =>
  check(LEAVES[leaf](value), at, `a ${leaf}`, value);

function listFaults(value: unknown, shape: Extract<Shape, { list: Shape }>, at: string) {
  if (!Array.isArray(value)) return check(shape.lenient === true, at, 'a list', value);
  if (value.length < (shape.least ?? 0)) return [{ at, reason: 'the list is too short' }];
  return value.flatMap((item, nth) => faultsOf(item, shape.list, `${at}[${nth}]`));
}

function objectFaults(
  value: unknown,
  shape: Extract<Shape, { map: Shape }> | Extract<Shape, { fields: ShapeFields }>,
  at: string,
): readonly ShapeFault[] {
  if (!isObject(value)) return check(shape.lenient === true, at, 'an object', value);
  const entries = Object.entries(value);
  if ('map' in shape) return entries.flatMap(([key, item]) => faultsOf(item, shape.map, `${at}.${key}`));
  const lacks = (shape.needs ?? '').split(' ').filter((key) => key !== '' && !Object.hasOwn(value, key));
  return [
    ...lacks.map((key) => ({ at: `${at}.${key}`, reason: 'it is missing' })),
    ...entries.flatMap(([key, item]) =>
      Object.hasOwn(shape.fields, key)
        ? faultsOf(item, shape.fields[key] ?? 'any', at === '' ? key : `${at}.${key}`)
        : NONE,
    ),
  ];
}

const isWithin = (value: unknown, [least, most]: Bounds): boolean =>
  typeof value === 'number' && value >= least && value <= most;

const rangeOf = ([least, most]: Bounds): string =>
  most === Infinity ? `number of at least ${least}` : `number from ${least} to ${most}`;

/** Strings from files are not shown, because they may be secrets. */
const check = (fits: boolean, at: string, wanted: string, value: unknown): readonly ShapeFault[] =>
  fits ? NONE : [{ at, reason: `it is ${nameOf(value)} where Claude Code wants ${wanted}` }];

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
