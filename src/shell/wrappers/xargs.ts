/** `xargs` and `parallel`: run a command for each item of their input. */
import type { Argument, Call, Reading, Run } from '../call.ts';
import { options, type Options } from '../writers/options.ts';
import { runs, runsForEach, word } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

const GRAMMAR =
  '0,null a,arg-file: d,delimiter: E: e? I: i,replace? J: L,max-lines: l? n,max-args: o,open-tty P,max-procs: ' +
  'p,interactive process-slot-var: R: r,no-run-if-empty S: s,max-chars: t,verbose x,exit';

export const xargs: Wrapper = (call) => {
  const given = options(call.args, GRAMMAR, 'first');
  const words = given.operands.length === 0 ? [word('echo')] : given.operands;
  const slot =
    given.value('I')?.text ??
    given.value('J')?.text ??
    (given.has('i') ? (given.value('i')?.text ?? '{}') : null);
  const items = itemsOf(call, given, slot !== null);
  if (items === null)
    return given.has('a') || call.globs === undefined
      ? runs(calling(words, slot, UNKNOWN))
      : runs(...call.globs.map((glob) => calling(words, slot, { ...UNKNOWN, glob })));
  if (slot !== null) return runsForEach(call, items, (item) => calling(words, slot, found(item)));
  if (items.length === 0 && given.has('r')) return {};
  return inTurns(call, words, items, given.value('n') ?? given.value('L'));
};

/** `-n 2`: two items at a time, which only matters to commands that read `$0` and `$1`. */
function inTurns(
  call: Call,
  words: readonly Argument[],
  items: readonly string[],
  at_once: Argument | undefined,
): Reading {
  const said = Number(at_once?.text ?? Infinity);
  const size = Number.isInteger(said) && said > 0 ? said : Math.max(items.length, 1);
  const turns = Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );
  return runsForEach(call, turns, (turn) => ({
    kind: 'call',
    words: [...words, ...turn.map(found)],
    stdin: null,
  }));
}

const found = (text: string): Argument => ({ text, source: text, is_expanded: true });
const UNKNOWN: Argument = { text: null, source: 'xargs', is_expanded: true, reason: 'input' };

/** Null if they are unknown. */
function itemsOf(call: Call, given: Options, by_line: boolean): readonly string[] | null {
  if (given.has('a') || call.stdin === null) return null;
  const delimiter = given.has('0')
    ? '\0'
    : given.has('d')
      ? delimiterOf(given.value('d')?.text ?? null)
      : undefined;
  if (delimiter === null) return null;
  if (delimiter !== undefined) return call.stdin.split(delimiter).filter((item) => item !== '');
  if (/['"\\]/.test(call.stdin)) return null;
  const separator = by_line ? /\n/ : /\s+/;
  return call.stdin
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function delimiterOf(text: string | null): string | null {
  if (text === '\\n') return '\n';
  if (text === '\\0') return '\0';
  return text !== null && text.length === 1 ? text : null;
}

function calling(words: readonly Argument[], slot: string | null, item: Argument): Run {
  if (slot === null) return { kind: 'call', words: [...words, item], stdin: null };
  return { kind: 'call', words: words.map((it) => filled(it, slot, item)), stdin: null };
}

function filled(it: Argument, slot: string, by: Argument): Argument {
  if (it.text?.includes(slot) !== true) return it;
  if (by.text !== null) return { ...by, text: it.text.replaceAll(slot, by.text) };
  // With other text around it, it is another name.
  const { glob, ...unknown } = { ...by, source: it.source };
  return glob !== undefined && it.text === slot ? { ...unknown, glob } : unknown;
}

const PARALLEL =
  'j,jobs: n: N: I: k X m halt: joblog: results: tmpdir: d,delimiter: C,colsep: a,arg-file: S: q 0,null bar eta';

/** GNU parallel passes each line to a shell. */
export const parallel: Wrapper = (call) => {
  const at = call.args.findIndex(({ text }) => text !== null && /^:::\+?$/.test(text));
  const given = options(at < 0 ? call.args : call.args.slice(0, at), PARALLEL, 'first');
  const rest = at < 0 ? null : call.args.slice(at + 1);
  const items: readonly Argument[] | null = rest ?? itemsOf(call, given, true)?.map(found) ?? null;
  if (items === null || rest?.some(({ text }) => text !== null && /^:::/.test(text)) === true)
    return runs(lineFor(given.operands, UNKNOWN));
  return runsForEach(call, items, (item) => lineFor(given.operands, item));
};

/** parallel quotes a name with spaces, so this yields words rather than text. */
function lineFor(operands: readonly Argument[], item: Argument): Run {
  const [only, more] = operands;
  const isText = more === undefined && /\s/.test(only?.text ?? '');
  const words = isText
    ? (only?.text ?? '')
        .trim()
        .split(/\s+/)
        .map((text) => word(text))
    : operands;
  const has_slot = words.some(({ text }) => text?.includes('{}') === true);
  const all = has_slot ? words : [...words, word('{}')];
  if (isText && /[;&|<>$`'"(]/.test(only?.text ?? '')) {
    const text = item.text === null ? null : (only?.text ?? '').replaceAll('{}', item.text);
    return { kind: 'call', words: [word('eval'), text === null ? item : word(text)], stdin: null };
  }
  return { kind: 'call', words: all.map((it) => filled(it, '{}', item)), stdin: null };
}
