/** The parts of a word, each as text, as a border between two words, or as unknown. */
import type { CommandExpansionPart, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { arithmeticValue } from './arithmetic.ts';
import { type Here, NO_INPUT, type Printed } from './here.ts';
import { isUnknown, joinedTexts, type Known, unknown, type Unknown } from './known.ts';
import { spend } from './limits.ts';
import { scriptsIn } from './nested.ts';
import { type Operands, parameterOf } from './parameter.ts';
import type { Piece } from './pattern.ts';
import { isArray, type VariableValue, type World } from './world.ts';

export interface FlowText extends Piece {
  /** The value of a loop's variable. */
  readonly is_looped: boolean;
}
export type Flow = FlowText | 'break' | Unknown;

interface Within {
  readonly world: World;
  readonly here: Here;
  /** In quotes, or where the shell does not split: nothing is a pattern, and spaces are literal. */
  readonly is_quoted: boolean;
}

export function flowOf(word: Word, world: World, here: Here, is_quoted = false): readonly Flow[] {
  const within = { world, here, is_quoted };
  const parts: readonly WordPart[] = word.parts ?? [
    { type: 'Literal', pos: word.pos, end: word.end, text: word.text, value: word.value },
  ];
  return parts.flatMap((part, nth) =>
    nth === 0 && part.type === 'Literal' ? tilded(part, within) : partFlow(part, within),
  );
}

const quoted = (text: string): FlowText => ({ text, is_quoted: true, is_looped: false });

/** Literal text in the line is not a pattern: the parser separates patterns from it. */
const written = (text: string): FlowText => ({ text, is_quoted: text !== '', is_looped: false });

function tilded({ text, value }: { text: string; value: string }, within: Within): readonly Flow[] {
  // `of=~/x` is expanded in the same way as `x=~/y`.
  const [all, before = '', user] = /^([A-Za-z_]\w*=)?~([\w.+-]*)(?=\/|$)/.exec(text) ?? [];
  if (all === undefined) return [written(value)];
  const home = user === '' ? 'HOME' : user === '+' ? 'PWD' : user === '-' ? 'OLDPWD' : null;
  if (home === null) return [unknown('variable')];
  const part: ParameterExpansionPart = { ...SIMPLE, parameter: home, text: `~${user ?? ''}` };
  const directory = parameterOf(part, within.world, within.here, operandsOf(within));
  return [
    written(before),
    ...flowOfValue(directory, { ...within, is_quoted: true }, home),
    written(value.slice(all.length)),
  ];
}

function partFlow(part: WordPart, within: Within): readonly Flow[] {
  switch (part.type) {
    case 'Literal':
      return [written(part.value)];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [quoted(part.value)];
    case 'Glob':
      return [{ text: part.value, is_quoted: within.is_quoted, is_looped: false }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return inQuotes(part.parts, within);
    case 'SimpleExpansion':
      return parameterFlow({ ...SIMPLE, parameter: part.text.slice(1), text: part.text }, within);
    case 'ParameterExpansion':
      return parameterFlow(part, within);
    case 'CommandExpansion':
      return flowOfValue(substituted(part, within), within, null);
    case 'ArithmeticExpansion':
      return arithmetic(part, within);
    case 'ProcessSubstitution':
      if (part.script !== undefined) runs(part.script, within, null);
      return [quoted('/dev/fd/63')];
    case 'ExtendedGlob':
      return [runsIn(part, within)];
    case 'BraceExpansion':
      return scriptsIn(part).length > 0 || /[$`'"\\]/.test(part.text)
        ? [runsIn(part, within)]
        : [written(part.text)];
  }
}

const SIMPLE = {
  type: 'ParameterExpansion',
  pos: 0,
  end: 0,
  parameterPos: 0,
  parameterEnd: 0,
  prefix: undefined,
  index: undefined,
  operation: undefined,
} as const;

function inQuotes(parts: readonly WordPart[], within: Within): readonly Flow[] {
  const flow = parts.flatMap((part) => partFlow(part, { ...within, is_quoted: true }));
  // `"$@"` without arguments gives no word; `""` gives one.
  return flow.length === 0 && parts.length === 0 ? [quoted('')] : flow;
}

function operandsOf({ world, here }: Within): Operands {
  const pieces = (word: Word): readonly Piece[] | null => {
    const flow = flowOf(word, world, here);
    const texts = flow.filter((part): part is FlowText => part !== 'break' && !('reason' in part));
    return texts.length === flow.length ? texts : null;
  };
  return {
    pattern: pieces,
    scalar: (word) => {
      const flow = flowOf(word, world, here, true);
      const missing = flow.find((part): part is Unknown => part !== 'break' && 'reason' in part);
      return (
        missing ?? flow.map((part) => (part === 'break' ? ' ' : 'text' in part ? part.text : '')).join('')
      );
    },
  };
}

function parameterFlow(part: ParameterExpansionPart, within: Within): readonly Flow[] {
  const value = parameterOf(part, within.world, within.here, operandsOf(within));
  return flowOfValue(value, within, part.parameter, part.text.includes('*'));
}

function flowOfValue(
  value: VariableValue,
  within: Within,
  name: string | null,
  is_joined = false,
): readonly Flow[] {
  const is_looped = name !== null && within.world.looped.has(name);
  const all = isArray(value) ? value : [value];
  if (!spend(within.here.budget, 64 * all.length)) return [unknown('limit')];
  if (isArray(value) && within.is_quoted && is_joined) {
    const known = all.map((it) => costing(it, within));
    const text = joinedTexts(known, ' ');
    return [isUnknown(text) ? text : quoted(text)];
  }
  return all.flatMap((it, nth) => [
    ...(nth > 0 ? ['break' as const] : []),
    ...split(costing(it, within), within.is_quoted, is_looped),
  ]);
}

/** In a loop a value may double in each iteration. */
const costing = (value: Known, { here }: Within): Known =>
  isUnknown(value) || spend(here.budget, value.length) ? value : unknown('limit');

function split(value: Known, is_quoted: boolean, is_looped: boolean): readonly Flow[] {
  if (isUnknown(value)) return [value.globs === undefined ? value : { ...value, is_whole: is_quoted }];
  if (is_quoted) return [{ text: value, is_quoted, is_looped }];
  return value
    .split(/([ \t\n]+)/)
    .map((text, nth): Flow => (nth % 2 === 1 ? 'break' : { text, is_quoted: false, is_looped }));
}

function arithmetic(
  part: Extract<WordPart, { type: 'ArithmeticExpansion' }>,
  within: Within,
): readonly Flow[] {
  const number = arithmeticValue(part.expression, within.world);
  return [number === null ? runsIn(part, within) : quoted(String(number))];
}

/** Its commands run, but their output is unknown. */
function runsIn(part: WordPart, within: Within): Unknown {
  for (const script of scriptsIn(part)) runs(script, within, null);
  return unknown('variable');
}

function runs(script: ParsedScript, { world, here }: Within, printed: Printed | null): void {
  here.walk.script(script, world, { ...here, printed, stdin: NO_INPUT, returned: null });
}

/** The output of a `$( )`. */
function substituted({ script }: CommandExpansionPart, within: Within): Known {
  if (script === undefined) return unknown('substitution');
  const printed: Printed = { text: '' };
  runs(script, within, printed);
  if (printed.text !== null) return withoutLastLines(printed.text);
  return { ...unknown('substitution'), ...(printed.globs && { globs: printed.globs }) };
}

/** Not by a regular expression, which would search a run of empty lines from each of them. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === '\n') end--;
  return text.slice(0, end);
}
