/** `git submodule foreach`: a command that runs once in every submodule that is checked out. */
import type { Argument, Call, Look, Run } from '../call.ts';
import { LIMITS } from '../limits.ts';
import { absolute, dirOf } from '../path.ts';
import { runs, unresolved } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

interface Module {
  readonly name: string;
  /** In the checkout above, and from the root of the disk. */
  readonly path: string;
  readonly abs: string;
  readonly top: string;
}

/** What git itself takes before its command, with a word of its own behind it. */
const WITH_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env)$/;

/** Null: another command of git. */
export const git: Wrapper = (call) => {
  let [at, cwd] = [0, call.cwd];
  for (let text = call.args[at]?.text; text?.startsWith('-') === true; text = call.args[at]?.text) {
    if (text === '-C') cwd = absolute(call.args[at + 1]?.text ?? '', cwd);
    at += WITH_VALUE.test(text) ? 2 : 1;
  }
  const [command, ...args] = call.args.slice(at);
  if (command?.text !== 'submodule') return null;
  const verb = args.findIndex(({ text }) => text !== '-q' && text !== '--quiet');
  if (args[verb]?.text !== 'foreach') return null;
  const start = args.findIndex(({ text }, nth) => nth > verb && text?.startsWith('-') !== true);
  const words = start < 0 ? [] : args.slice(start);
  if (words.length === 0) return {};
  if (cwd === null) return unresolved(call, 'directory');
  const is_recursive = args.slice(verb, start).some(({ text }) => text === '--recursive');
  const modules = modulesIn(call.start.look, topOf(call.start.look, cwd), is_recursive);
  return runs(...modules.map((module) => runIn(module, words, call)));
};

/** One word is text for a shell; several are a command as they stand. */
function runIn({ name, path, abs, top }: Module, words: readonly Argument[], call: Call): Run {
  const [only] = words;
  if (words.length > 1) return { kind: 'call', words, cwd: abs, stdin: call.stdin };
  // An empty word is a command that nobody knows.
  if (typeof only?.text !== 'string') return { kind: 'call', words, cwd: abs };
  const told = Object.entries({ name, sm_path: path, displaypath: path, toplevel: top });
  const set = told.map(([key, value]) => `${key}='${value.replaceAll("'", `'\\''`)}'`).join(' ');
  return { kind: 'line', text: `${set}\n${only.text}`, cwd: abs };
}

function topOf(look: Look, cwd: string): string {
  for (let dir = cwd; ; dir = dirOf(dir)) {
    if (look.kind(`${dir}/.git`) !== null) return dir;
    if (dirOf(dir) === dir) return cwd;
  }
}

/** Those that `.gitmodules` names and that have a git directory: git passes over the others. */
function modulesIn(look: Look, top: string, is_recursive: boolean, depth = 0): readonly Module[] {
  const text = look.text(`${top}/.gitmodules`, LIMITS.file_bytes) ?? '';
  const found = text.split(/^\s*\[/m).flatMap((section): readonly Module[] => {
    const [, name] = /^submodule\s+"(.*)"\]/.exec(section) ?? [];
    const [, path] = /^\s*path\s*=\s*"?(.*?)"?\s*$/m.exec(section) ?? [];
    const abs = path === undefined ? null : absolute(path, top);
    if (name === undefined || path === undefined || abs === null) return [];
    return look.kind(`${abs}/.git`) === null ? [] : [{ name, path, abs, top }];
  });
  if (!is_recursive || depth > LIMITS.depth) return found;
  return found.flatMap((one) => [one, ...modulesIn(look, one.abs, true, depth + 1)]);
}
