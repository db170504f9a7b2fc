/** What runs other words or texts within the same shell, and what ends it. */
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

/** One file deep. */
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

/** With a command the shell is no more; with redirections alone it goes on. */
export const exec: Builtin = ({ call, world, here }) => {
  const words = options(call.args, 'a:', 'first').operands;
  if (words.length === 0) return [world];
  here.walk.dispatch({ words, source: call.source }, world, here);
  return [];
};

/** `command -v x` only tells. */
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

/** It runs when the shell ends, if not before. */
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

/** `printf -v name format` prints into a variable. */
export const printf: Builtin = ({ call, world, here }) => {
  const [flag, name, ...args] = call.args;
  if (flag?.text !== '-v') {
    if (here.printed !== null) print(here, printedBy(call));
    return [world];
  }
  const text = printedBy({ ...call, args, stdin: null, variables: call.variables });
  return [withVariable(world, name?.text ?? '', text ?? unknown('variable'))];
};
