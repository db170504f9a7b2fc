/** Builtins that run other words or text within the same shell, and builtins that end it. */
import { print } from '../here.ts';
import { LIMITS } from '../limits.ts';
import { readNestedText } from '../nested-line.ts';
import { printedBy } from '../outputs/index.ts';
import { absolute } from '../path.ts';
import { unknown } from '../known.ts';
import { withVariable, type World } from '../world.ts';
import { options } from '../writers/options.ts';
import type { Builtin } from './builtin.ts';

export const evaluate: Builtin = ({ call, world, here }) => {
  const missing = call.args.find(({ text }) => text === null);
  if (missing === undefined) {
    const text = call.args.map((arg) => arg.text).join(' ');
    return text === '' ? [world] : readNestedText({ text, source: call.source }, world, here);
  }
  here.found.miss({ source: missing.source, by: 'eval', reason: missing.reason ?? 'code' });
  print(here, null);
  return [world];
};

/** Follows files only one level deep. */
export const source: Builtin = ({ call, world, here }) => {
  const [file, ...args] = call.args;
  if (file === undefined) return [world];
  const path = file.text === null ? null : absolute(file.text, world.cwd);
  const text = path === null || here.in_file ? null : here.start.look.text(path, LIMITS.file_bytes);
  if (text === null) {
    here.found.miss({ source: file.source, by: call.name, reason: file.reason ?? 'script' });
    return [world];
  }
  const returned: World[] = [];
  const inner = args.length === 0 ? world : { ...world, args };
  const after = readNestedText({ text, source: call.source }, inner, { ...here, in_file: true, returned });
  return [...after, ...returned].map((it) => ({ ...it, args: world.args }));
};

/** With a command the shell is replaced; with redirections alone it continues. */
export const exec: Builtin = ({ call, world, here }) => {
  const words = options(call.args, 'a:', 'first').operands;
  if (words.length === 0) return [world];
  here.walk.dispatch({ words, source: call.source }, world, here);
  return [];
};

/** `command -v x` only prints. */
export const command: Builtin = ({ call, world, here }) => {
  const given = options(call.args, 'p v V', 'first');
  if (given.has('v', 'V')) {
    print(here, null);
    return [world];
  }
  return here.walk.dispatch({ words: given.operands, source: call.source }, world, here);
};

export const exit: Builtin = () => [];

export const leaveFunction: Builtin = ({ world, here }) => {
  here.returned?.push(world);
  return [];
};

/** Runs when the shell ends, if not earlier. */
export const trap: Builtin = ({ call, world, here }) => {
  const [text] = call.args.filter((arg) => arg.text !== '--');
  if (text?.text === null)
    here.found.miss({ source: text.source, by: 'trap', reason: text.reason ?? 'code' });
  else if (text !== undefined && call.args.length > 1 && !/^-[lp]?$/.test(text.text))
    readNestedText({ text: text.text, source: call.source }, world, {
      ...here,
      printed: null,
      returned: null,
    });
  return [world];
};

/** `printf -v name format` assigns to a variable instead of printing. */
export const printf: Builtin = ({ call, world, here }) => {
  const [flag, name, ...args] = call.args;
  if (flag?.text !== '-v') {
    if (here.printed !== null) print(here, printedBy(call));
    return [world];
  }
  const text = printedBy({ ...call, args, stdin: null, variables: call.variables });
  return [withVariable(world, name?.text ?? '', text ?? unknown('variable'))];
};
