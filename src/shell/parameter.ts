/** `$x`, `${x:-d}`, `${f%.js}`, `${x/a/b}` and the like, for known values. */
import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import type { Here } from './here.ts';
import { isUnknown, type Known, unknown } from './known.ts';
import { matches, type PatternToken, type Piece, tokensOf } from './pattern.ts';
import { LIMITS, spend } from './limits.ts';
import { variableValue } from './variables.ts';
import { isArray, scalarOf, type VariableValue, type World } from './world.ts';

/** Evaluates the words of an operation, which another file handles. */
export interface Operands {
  scalar(word: Word): Known;
  pattern(word: Word): readonly Piece[] | null;
}

/** Several values: each is a separate word in `"$@"`. */
export function parameterOf(
  part: ParameterExpansionPart,
  world: World,
  here: Here,
  operands: Operands,
): VariableValue {
  const { parameter, prefix, index, operation } = part;
  const held = indexed(variableValue(parameter, world, here), index, parameter);
  if (prefix === '#') return lengthOf(held ?? unknown('variable'));
  if (prefix === '!') return indirect(held, part, world, here);
  if (operation?.type === 'Default') return defaulted(held, operation, operands);
  if (held === undefined) return unknown('variable');
  if (operation === undefined) return held;
  const change = changeOf(operation, operands);
  // Each length of the value may be compared with each part of a pattern.
  const costs = (it: string): number => it.length * (it.length + part.text.length);
  const changed = (it: Known): Known =>
    isUnknown(it) ? unknown(it.reason) : spend(here.budget, costs(it)) ? change(it) : unknown('limit');
  if (isArray(held) && operation.type === 'Slice') return unknown('variable');
  return isArray(held) ? held.map(changed) : changed(held);
}

function indexed(
  value: VariableValue | undefined,
  index: Word | undefined,
  name: string,
): VariableValue | undefined {
  if (value === undefined) return undefined;
  if (index === undefined) return name === '@' || name === '*' ? value : scalarOf(value);
  if (index.value === '@' || index.value === '*') return isArray(value) ? value : [value];
  if (!/^\d{1,6}$/.test(index.value)) return unknown('variable');
  return isArray(value) ? (value[Number(index.value)] ?? '') : scalarOf(value);
}

function lengthOf(value: VariableValue): Known {
  if (isArray(value)) return String(value.length);
  return isUnknown(value) ? value : String(Array.from(value).length);
}

function indirect(
  value: VariableValue | undefined,
  part: ParameterExpansionPart,
  world: World,
  here: Here,
): VariableValue {
  const name = value === undefined ? unknown('variable') : scalarOf(value);
  if (isUnknown(name) || part.operation !== undefined || part.index !== undefined) return unknown('variable');
  return scalarOf(variableValue(name, world, here) ?? unknown('variable'));
}

type Default = Extract<ParameterOperation, { type: 'Default' }>;

/** If neither the line nor the client sets it, the shell uses the default. */
function defaulted(
  value: VariableValue | undefined,
  { operator, operand }: Default,
  operands: Operands,
): VariableValue {
  const text = value === undefined ? undefined : scalarOf(value);
  if (text !== undefined && isUnknown(text)) return text;
  const isMissing = text === undefined || (text === '' && operator.startsWith(':'));
  if (operator.endsWith('+')) return isMissing ? '' : operands.scalar(operand);
  if (!isMissing) return value ?? '';
  return operator.endsWith('?') ? unknown('variable') : operands.scalar(operand);
}

function changeOf(operation: ParameterOperation, operands: Operands): (text: string) => Known {
  switch (operation.type) {
    case 'Remove':
      return removal(operation.operator, operands.pattern(operation.operand));
    case 'Replace':
      return replacement(operation, operands);
    case 'Slice':
      return slice(operands.scalar(operation.offset), operation.length && operands.scalar(operation.length));
    case 'CaseModification':
      return operation.operand === undefined ? caseOf(operation.operator) : () => unknown('variable');
    default:
      return () => unknown('variable');
  }
}

function removal(operator: string, pattern: readonly Piece[] | null): (text: string) => Known {
  if (pattern === null) return () => unknown('variable');
  const tokens = tokensOf(pattern);
  const is_end = operator.startsWith('%');
  const is_long = operator.length === 2;
  return (text) => {
    const chars = Array.from(text);
    if (chars.length > LIMITS.pattern_chars) return unknown('limit');
    const lengths = Array.from({ length: chars.length + 1 }, (_, nth) =>
      is_long ? chars.length - nth : nth,
    );
    const taken = lengths.find((length) =>
      matches(tokens, is_end ? chars.slice(chars.length - length) : chars.slice(0, length)),
    );
    if (taken === undefined) return text;
    return (is_end ? chars.slice(0, chars.length - taken) : chars.slice(taken)).join('');
  };
}

type Replace = Extract<ParameterOperation, { type: 'Replace' }>;

function replacement(
  { operator, pattern, replacement: by }: Replace,
  operands: Operands,
): (text: string) => Known {
  const [pieces, to] = [operands.pattern(pattern), operands.scalar(by)];
  if (pieces === null) return () => unknown('variable');
  if (isUnknown(to)) return () => to;
  const tokens = tokensOf(pieces);
  return (text) => (tokens.length === 0 ? text : replaced(Array.from(text), tokens, to, operator));
}

/** Every position is tried with every length, so only short values are handled. */
const MAX_REPLACED = 128;

function replaced(
  chars: readonly string[],
  tokens: readonly PatternToken[],
  to: string,
  operator: string,
): Known {
  if (chars.length > MAX_REPLACED) return unknown('limit');
  let result = '';
  for (let at = 0; at < chars.length; at++) {
    const found = operator === '/#' && at > 0 ? null : longest(chars, at, tokens, operator === '/%');
    if (found === null) {
      result += chars[at] ?? '';
      continue;
    }
    result += to;
    if (operator !== '//') return result + chars.slice(found).join('');
    at = found - 1;
  }
  return result;
}

/** The end of the longest match from here. */
function longest(
  chars: readonly string[],
  at: number,
  tokens: readonly PatternToken[],
  to_end: boolean,
): number | null {
  const least = to_end ? chars.length : at + 1;
  for (let end = chars.length; end >= least; end--) if (matches(tokens, chars.slice(at, end))) return end;
  return null;
}

function slice(offset: Known, length: Known | undefined): (text: string) => Known {
  const [from, count] = [offset, length ?? ''].map((it) => (isUnknown(it) ? null : it.trim()));
  if (!/^-?\d{1,9}$/.test(from ?? '') || !/^(?:-?\d{1,9})?$/.test(count ?? '?'))
    return () => unknown('variable');
  return (text) => {
    const rest = text.slice(Number(from));
    if (count === '') return rest;
    return Number(count) < 0 ? rest.slice(0, Number(count)) : rest.slice(0, Number(count));
  };
}

function caseOf(operator: string): (text: string) => string {
  const change = (it: string): string => (operator.startsWith('^') ? it.toUpperCase() : it.toLowerCase());
  return (text) => (operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1));
}
