/** Shells: `bash -c TEXT`, `bash FILE`, `bash <<EOF`, and commands that pass text to a shell. */
import type { Argument, Call, Reading } from '../call.ts';
import { LIMITS } from '../limits.ts';
import { isSink } from '../path.ts';
import { options } from '../writers/options.ts';
import { pathOf, runs, together, unknownTarget, unresolved, file } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

interface Given {
  readonly flags: string;
  readonly operands: readonly Argument[];
}

/** A shell's options are single letters; `-o` and `+O` take a word, `--rcfile` a file. */
function given(args: readonly Argument[]): Given {
  let flags = '';
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (text === '--' || text === '-') return { flags, operands: args.slice(at + 1) };
    if (!/^[-+]./.test(text)) break;
    if (/^--(?:rcfile|init-file)$/.test(text) || /^[-+]\w*[oO]$/.test(text)) at++;
    if (/^-\w/.test(text)) flags += text.slice(1);
  }
  return { flags, operands: args.slice(at) };
}

export const shell: Wrapper = (call) => {
  const { flags, operands } = given(call.args);
  const [first, ...args] = operands;
  // -n only checks the syntax.
  if (flags.includes('n')) return {};
  if (flags.includes('c')) return first === undefined ? {} : textReading(call, first, args);
  if (first !== undefined && !flags.includes('s') && first.text !== '/dev/stdin')
    return script(call, first, args);
  if (call.stdin !== null)
    return runs({ kind: 'line', text: call.stdin, args: first?.text === '/dev/stdin' ? args : operands });
  return call.is_piped || first !== undefined ? unresolved(call, 'input') : {};
};

/** The word after the text is `$0`. */
function textReading(call: Call, text: Argument, [zero, ...args]: readonly Argument[]): Reading {
  if (text.text === null) return unknownTarget(call, text, text.reason ?? 'code');
  return runs({ kind: 'line', text: text.text, args, ...(zero && { zero }) });
}

function script(call: Call, name: Argument, args: readonly Argument[]): Reading {
  const path = pathOf(call, name);
  if (path === null) return unknownTarget(call, name, name.reason ?? 'directory');
  if (isSink(path)) return unresolved(call, 'input', name.source);
  const text = call.start.look.text(path, LIMITS.file_bytes);
  if (text === null) return unknownTarget(call, name, 'script');
  return runs({ kind: 'line', text, args, file: path, zero: name });
}

/** `su -c TEXT`, `runuser -u USER -- COMMAND`. */
export const su: Wrapper = (call) => {
  const given = options(call.args, 'c,command: s,shell: g: G: u: w: l,login p m f P T session-command:');
  const text = given.value('c') ?? given.value('session-command');
  if (text !== undefined) return textReading(call, text, []);
  const words = call.args.slice(call.args.findIndex((arg) => arg.text === '--') + 1);
  return call.name === 'runuser' && given.has('u') && words.length < call.args.length
    ? runs({ kind: 'call', words })
    : {};
};

/** `script -c TEXT FILE`, and BSD's `script FILE COMMAND`. */
export const typescript: Wrapper = (call) => {
  const given = options(call.args, 'a,append c,command: e f q O,log-out: I: B: T: t? E: m: o: k r', 'first');
  const [name, ...words] = given.operands;
  const more = options(words, 'c,command: q e f a', 'first');
  const text = given.value('c') ?? more.value('c');
  const log = given.value('O') ?? name ?? { text: 'typescript', source: 'typescript', is_expanded: false };
  return together([
    file(call, log, given.has('a') ? 'append' : 'write'),
    text === undefined ? {} : textReading(call, text, []),
    text === undefined && words.length > 0 ? runs({ kind: 'call', words }) : {},
  ]);
};

/** Joins its words to a line: `watch`, `hyperfine`, `entr -s`. */
export const joinedLine =
  (grammar: string): Wrapper =>
  (call) => {
    const { operands } = options(call.args, grammar, 'first');
    const missing = operands.find(({ text }) => text === null);
    if (missing !== undefined) return unknownTarget(call, missing, missing.reason ?? 'code');
    return operands.length === 0
      ? {}
      : runs({ kind: 'line', text: operands.map(({ text }) => text).join(' ') });
  };

/** Each operand is a separate line. */
export const hyperfine: Wrapper = (call) => {
  const given = options(
    call.args,
    'w,warmup: m,min-runs: M,max-runs: r,runs: s,setup: p,prepare: c,cleanup: S,shell: style: export-json: export-markdown: export-csv: n,command-name: L,parameter-list: u,time-unit: output: input:',
  );
  const texts = [...given.operands, ...given.values('s'), ...given.values('p'), ...given.values('c')];
  const files = ['export-json', 'export-markdown', 'export-csv'].flatMap((name) => given.values(name));
  return together([
    ...texts.map((text) => textReading(call, text, [])),
    ...files.map((name) => file(call, name, 'write')),
  ]);
};
