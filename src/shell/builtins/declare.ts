/** Builtins that assign variables without `=`, or with it after a name: `export`, `read`, `set --`. */
import type { Argument } from '../call.ts';
import { unknown } from '../known.ts';
import { withAll, withVariable, withVariables, type World } from '../world.ts';
import type { Builtin } from './builtin.ts';

/** Their `name=value` words are assignments, which simple.ts has already made. */
export const DECLARING: ReadonlySet<string> = new Set(['export', 'local', 'readonly', 'declare', 'typeset']);

const NAME = /^[A-Za-z_]\w*$/;

const textsOf = (args: readonly Argument[]): readonly string[] => args.flatMap(({ text }) => text ?? []);

/** `export "A=$b"`; a name without a value becomes empty only if it is local. */
export const declare: Builtin = ({ call, world }) => {
  const said = textsOf(call.args).flatMap((text) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? [];
    if (name !== undefined) return [[name, value ?? ''] as const];
    return call.name === 'local' && NAME.test(text) ? [[text, ''] as const] : [];
  });
  return [withVariables(world, said)];
};

export const unset: Builtin = ({ call, world }) => {
  const names = textsOf(call.args).filter((text) => NAME.test(text));
  const functions = new Map([...world.functions].filter(([name]) => !names.includes(name)));
  return [{ ...withAll(world, names, ''), functions }];
};

const READ_OPTIONS_WITH_VALUE = /^-\w*[dinNptu]$/;

/** Reads one line of known input; otherwise the value is unknown. */
export const read: Builtin = ({ call, world }) => {
  const names = textsOf(call.args).filter(
    (text, nth, all) => NAME.test(text) && !READ_OPTIONS_WITH_VALUE.test(all[nth - 1] ?? ''),
  );
  const [only = 'REPLY', ...more] = names;
  const isPlain = !call.args.some(({ text }) => text === null || /^-\w*[adinN]/.test(text));
  const line = isPlain ? (call.stdin?.split('\n')[0] ?? null) : null;
  return [
    line === null ? withAll(world, [only, ...more], unknown('input')) : shared(line, [only, ...more], world),
  ];
};

/** The last name takes the rest of the line. */
function shared(line: string, names: readonly string[], world: World): World {
  const separator = world.variables.get('IFS');
  if (separator !== undefined && separator !== '' && names.length > 1)
    return withAll(world, names, unknown('input'));
  const trimmed = separator === '' ? line : line.trim();
  const words = names.length === 1 ? [trimmed] : trimmed.split(/[ \t]+/);
  const last = names.length - 1;
  const share = (nth: number): string => (nth === last ? words.slice(nth).join(' ') : (words[nth] ?? ''));
  return withVariables(
    world,
    names.map((name, nth) => [name, share(nth)] as const),
  );
}

/** `mapfile -t names < list`. */
export const mapfile: Builtin = ({ call, world }) => {
  const name = textsOf(call.args).findLast((text) => NAME.test(text)) ?? 'MAPFILE';
  const isPlain = call.args.every(({ text }) => text === '-t' || text === name);
  const lines = isPlain ? call.stdin?.replace(/\n$/, '').split('\n') : undefined;
  return [withVariable(world, name, lines ?? unknown('input'))];
};

/** `set -- a b`, `set -o option`. */
export const set: Builtin = ({ call, world }) => {
  const at = call.args.findIndex(({ text }) => text === '--');
  if (at >= 0) return [{ ...world, args: call.args.slice(at + 1) }];
  const is_words = /^(?![-+])/.test(call.args[0]?.text ?? '-');
  return [is_words ? { ...world, args: call.args } : world];
};

export const shift: Builtin = ({ call, world }) => {
  const count = Number(call.args[0]?.text ?? 1);
  return [Number.isInteger(count) && count >= 0 ? { ...world, args: world.args.slice(count) } : world];
};

export const shopt: Builtin = ({ call, world }) => {
  const [flag, ...names] = textsOf(call.args);
  const options = new Set(world.options);
  for (const name of names) {
    if (flag === '-s') options.add(name);
    else if (flag === '-u') options.delete(name);
  }
  return [{ ...world, options }];
};

/** `printf -v name`, `getopts spec name`: the second word gets a value that is not computed. */
export const getopts: Builtin = ({ call, world }) => {
  const name = call.args[1]?.text ?? '';
  return [NAME.test(name) ? withVariable(world, name, unknown('variable')) : world];
};

export const letCommand: Builtin = ({ call, world }) => {
  const names = textsOf(call.args).flatMap((text) => /^[A-Za-z_]\w*(?=\W*[=+-])/.exec(text) ?? []);
  return [withAll(world, names, unknown('variable'))];
};
