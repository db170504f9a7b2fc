/** python, node, ruby, perl: code on the command line, on standard input, or in a file. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options, type Options } from './options.ts';
import { baseName } from '../path.ts';
import { NOTHING, file, reworded, runs, together, unresolved } from './reading.ts';
import { migrations } from './making.ts';
import { editedInPlace } from './sed.ts';
import { readScript, readScriptText, type ScriptLanguage } from './script.ts';

const python: Writer = (call) => {
  const given = options(call.args, 'c! m! W: X: Q: check-hash-based-pycs:', 'first');
  const module = given.value('m');
  if (module !== undefined) return pythonModule(call, module, given.operands);
  const [script, ...args] = given.operands;
  const made = script?.text != null && baseName(script.text) === 'manage.py' ? migrations(call, args) : null;
  return made ?? code(call, 'python', given, ['c']);
};

/** Modules that write; any other `-m NAME` is run like a command of that name. */
function pythonModule(call: Call, module: Argument, args: readonly Argument[]): Reading {
  if (module.text === 'json.tool') return file(call, options(args, 'indent:').operands[1], 'write');
  return runs({ kind: 'call', words: [module, ...args] });
}

const NODE =
  'e,eval! p,print! pe! r,require: import: loader: experimental-loader: C,conditions: env-file: input-type:';

const node: Writer = (call) => {
  // `-pe CODE` is `-p -e CODE`.
  const args = call.args.map((it) => (it.text === '-pe' || it.text === '-ep' ? { ...it, text: '-p' } : it));
  const given = options(args, NODE, 'first');
  if (given.has('check', 'c', 'test', 'v', 'h')) return NOTHING;
  return code(call, 'node', given, ['e', 'p']);
};

/** tsx, ts-node. */
const tsx: Writer = (call) => {
  const given = options(
    call.args,
    'e,eval! p,print! tsconfig: P,project: O,compiler-options: r,require:',
    'first',
  );
  if (given.operands[0]?.text === 'watch') return readAt(call, 'node', given.operands.slice(1));
  return code(call, 'node', given, ['e', 'p']);
};

export const runFile: Writer = (call) => readAt(call, 'node', options(call.args, '', 'first').operands);

const deno: Writer = (call) => {
  const [verb, ...args] = call.args;
  if (verb?.text === 'fmt' || verb?.text === 'install') return NOTHING;
  const given = options(args, 'c,config: import-map: L,log-level: ext: lock:', 'first');
  if (verb?.text === 'eval') {
    const text = given.operands[0];
    return text === undefined ? NOTHING : spoken(call, 'node', [text], given.operands.slice(1));
  }
  return verb?.text === 'run' ? readAt(call, 'node', given.operands) : NOTHING;
};

const PERL = 'e,E: i? I: M? m? F? C? D? x? d?';
const RUBY = 'e: i? I: r: F? E: C: K? W? x? encoding: external-encoding:';

const perl: Writer = (call) => inPlace(call, 'perl', options(withoutDigits(call.args), PERL, 'first'));
const ruby: Writer = (call) => inPlace(call, 'ruby', options(withoutDigits(call.args), RUBY, 'first'));

/** With `-i` every file after the code is written, and the old one is kept if a suffix is given. */
function inPlace(call: Call, language: 'perl' | 'ruby', given: Options): Reading {
  if (given.has('c', 'v')) return NOTHING;
  const has_code = given.has('e');
  const [script, ...rest] = given.operands;
  const edited = has_code ? given.operands : rest;
  const said = has_code
    ? spoken(call, language, [...modulesOf(language, given), ...given.values('e')], edited)
    : code(call, language, given, ['e']);
  if (!given.has('i')) return said;
  const reads_files = given.has('p', 'n') || !has_code || mentions(given.values('e'), /<>|ARG[VF]|<<>>/);
  if (!reads_files || (script === undefined && !has_code)) return said;
  const suffix = given.value('i')?.text ?? '';
  return together([editedInPlace(call, edited, suffix), said]);
}

/** `-MFile::Copy` is `use File::Copy`. */
const modulesOf = (language: ScriptLanguage, given: Options): readonly Argument[] =>
  language === 'perl'
    ? [...given.values('M'), ...given.values('m')].map((it) =>
        reworded(it, (text) => `use ${text.replace(/=.*/s, '')};`),
      )
    : [];

const mentions = (list: readonly Argument[], what: RegExp): boolean =>
  list.some(({ text }) => text === null || what.test(text));

/** `-0777` and `-l012` take only digits, so `-0pi` is `-0 -p -i`. */
function withoutDigits(args: readonly Argument[]): readonly Argument[] {
  return args.flatMap((argument) => {
    let text = argument.text;
    for (let before = null as string | null; text !== null && text !== before;) {
      before = text;
      text = text.replace(/^(-[pnalwsWtTuUSg]*)[0l](?:x[0-9a-fA-F]+|[0-7]*)/, '$1');
    }
    return text === '-' && argument.text !== '-' ? [] : [{ ...argument, text }];
  });
}

/** The source of the code: an option, a file, or standard input. */
function code(call: Call, language: ScriptLanguage, given: Options, literal: readonly string[]): Reading {
  const texts = literal.flatMap((name) => given.values(name));
  if (texts.length > 0) return spoken(call, language, texts, given.operands);
  const [script, ...args] = given.operands;
  if (script !== undefined && script.text !== '-') return readScript(call, script, args, language);
  const before = language === 'node' && script !== undefined ? [script] : [];
  if (call.stdin !== null) return readScriptText(language, call.stdin, [...before, ...args]);
  return call.is_piped ? unresolved(call, 'input') : NOTHING;
}

function spoken(
  call: Call,
  language: ScriptLanguage,
  texts: readonly Argument[],
  args: readonly Argument[],
): Reading {
  const lost = texts.find(({ text }) => text === null);
  if (lost !== undefined) return unresolved(call, 'code', lost.source);
  return readScriptText(language, texts.map(({ text }) => text ?? '').join('\n'), args);
}

function readAt(call: Call, language: ScriptLanguage, words: readonly Argument[]): Reading {
  const [script, ...args] = words;
  return script === undefined ? NOTHING : readScript(call, script, args, language);
}

export const INTERPRETERS: Readonly<Record<string, Writer>> = {
  ...{ python, python2: python, python3: python, pypy: python, pypy3: python },
  ...{ node, nodejs: node, tsx, 'ts-node': tsx, deno, perl, ruby },
};
