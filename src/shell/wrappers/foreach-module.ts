/** `git submodule foreach`: runs a command once in every checked-out submodule. */
import type { Argument, Call, Look, Run } from '../call.ts';
import { checkoutAround } from '../checkout-around.ts';
import { LIMITS } from '../limits.ts';
import { absolute } from '../path.ts';
import { options } from '../writers/options.ts';
import { runs, unresolved } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

interface Module {
  readonly name: string;
  /** Relative to the parent checkout, and absolute. */
  readonly path: string;
  readonly abs: string;
  readonly top: string;
}

const OF_GIT = 'C: c: git-dir: work-tree: namespace: config-env:';

/** Null if it is another git command. */
export const git: Wrapper = (call) => {
  if (!call.args.some(({ text }) => text === 'foreach')) return null;
  const whole = options(call.args, OF_GIT, 'first');
  const [command, ...args] = whole.operands;
  if (command?.text !== 'submodule') return null;
  const [verb, ...rest] = options(args, 'q,quiet', 'first').operands;
  if (verb?.text !== 'foreach') return null;
  const given = options(rest, 'recursive', 'first');
  if (given.operands.length === 0) return {};
  const cwd = whole.values('C').reduce((dir, { text }) => absolute(text ?? '', dir), call.cwd);
  if (cwd === null) return unresolved(call, 'directory');
  const { look } = call.start;
  const modules = modulesIn(look, checkoutAround(look, cwd) ?? cwd, given.has('recursive'));
  return runs(...modules.map((module) => runIn(module, given.operands, call)));
};

/** A single word is text for a shell; several are a literal command. */
function runIn({ name, path, abs, top }: Module, words: readonly Argument[], call: Call): Run {
  const [only] = words;
  if (words.length > 1) return { kind: 'call', words, cwd: abs, stdin: call.stdin };
  // An unknown word is an unknown command.
  if (typeof only?.text !== 'string') return { kind: 'call', words, cwd: abs };
  const told = Object.entries({ name, sm_path: path, displaypath: path, toplevel: top });
  const set = told.map(([key, value]) => `${key}='${value.replaceAll("'", `'\\''`)}'`).join(' ');
  return { kind: 'line', text: `${set}\n${only.text}`, cwd: abs };
}

/** The modules named in `.gitmodules` that have a git directory: git skips the others. */
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
