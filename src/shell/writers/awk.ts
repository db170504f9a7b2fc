/** awk: `-i inplace`, and output of a program to files with literal names. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { file, files, runsLines, textOn, together, unresolved, word } from './reading.ts';
import { awkEffects } from './awk-program.ts';

const GRAMMAR = 'f,file: v,assign: F,field-separator: i,include: e,source: l,load: E,exec: W: d? o? p? D?';

export const awk: Writer = (call) => {
  const given = options(call.args, GRAMMAR, 'first');
  const has_program = given.has('f', 'e');
  const programs = has_program ? given.values('e') : given.operands.slice(0, 1);
  const names = (has_program ? given.operands : given.operands.slice(1)).filter(isName);
  const variables = new Map(given.values('v').flatMap(assigned));
  const is_in_place = given.values('i').some(({ text }) => text === 'inplace');
  return together([
    is_in_place ? files(call, names, 'edit') : {},
    ...programs.map((it) => ofProgram(call, it, variables)),
    ...given.values('f').map((it) => ofProgram(call, { ...it, text: textOn(call, it) }, variables)),
  ]);
};

function ofProgram(call: Call, program: Argument, variables: ReadonlyMap<string, string>): Reading {
  if (program.text === null) return {};
  const { writes, appends, lines, unknown } = awkEffects(program.text, variables);
  return together([
    ...writes.map((name) => file(call, word(name, program.source), 'write')),
    ...appends.map((name) => file(call, word(name, program.source), 'append')),
    runsLines(lines),
    unknown ? unresolved(call, 'code', program.source) : {},
  ]);
}

/** `name=value` among the operands is an assignment. */
const isName = ({ text }: Argument): boolean => text === null || !/^[A-Za-z_]\w*=/.test(text);

function assigned({ text }: Argument): [string, string][] {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text ?? '') ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}
