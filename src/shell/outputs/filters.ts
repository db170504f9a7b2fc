/** Commands that print part of their input. */
import type { Call } from '../call.ts';
import { options } from '../writers/options.ts';
import type { Output } from './output.ts';

/** Null if it reads files, or its input is unknown. */
function linesOf(call: Call, operands: Call['args']): readonly string[] | null {
  if (operands.length > 0 || call.stdin === null) return null;
  return call.stdin === '' ? [] : call.stdin.replace(/\n$/, '').split('\n');
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** `-n 5`, `-5`. */
function countOf(call: Call): { count: number; operands: Call['args'] } | null {
  const short = call.args.find((arg) => /^-\d+$/.test(arg.text ?? ''));
  const given = options(
    short === undefined ? call.args : call.args.filter((arg) => arg !== short),
    'n,lines:',
  );
  const said = short?.text?.slice(1) ?? given.value('n')?.text ?? '10';
  const isPlain = !call.args.some((arg) => /^-[^n\d]/.test(arg.text ?? ''));
  return /^\d{1,9}$/.test(said) && isPlain ? { count: Number(said), operands: given.operands } : null;
}

const part =
  (take: (lines: readonly string[], count: number) => readonly string[]): Output =>
  (call) => {
    const asked = countOf(call);
    const lines = asked === null ? null : linesOf(call, asked.operands);
    return lines === null || asked === null ? null : text(take(lines, asked.count));
  };

const head = part((lines, count) => lines.slice(0, count));
const tail = part((lines, count) => lines.slice(Math.max(0, lines.length - count)));

const sort: Output = (call) => {
  const is_unique = call.args.every((arg) => arg.text === '-u') && call.args.length > 0;
  const lines = is_unique ? linesOf(call, []) : linesOf(call, call.args);
  return lines === null ? null : text((is_unique ? [...new Set(lines)] : [...lines]).toSorted());
};

const uniq: Output = (call) => {
  const lines = linesOf(call, call.args);
  return lines === null ? null : text(lines.filter((line, nth) => line !== lines[nth - 1]));
};

const tee: Output = (call) => call.stdin;

export const FILTERS: Readonly<Record<string, Output>> = { head, tail, sort, uniq, tee };
