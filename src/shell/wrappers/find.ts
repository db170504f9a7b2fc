/** `find … -exec`, `-delete`, `-fprint`. */
import type { Argument, Call, Reading } from '../call.ts';
import type { Action, FoundEntry } from '../find/expression.ts';
import { foundBy } from '../find/find.ts';
import { absolute, dirName } from '../path.ts';
import { file, files, runs, runsForEach, together, unresolved } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

const ACTS = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/;

export const find: Wrapper = (call) => {
  // Most only print, and need no look at the disk.
  if (!call.args.some(({ text }) => text !== null && ACTS.test(text))) return {};
  const { done, is_exact } = foundBy(call);
  return together([...done].map(([action, entries]) => acted(call, action, is_exact ? entries : null)));
};

function acted(call: Call, action: Action, entries: readonly FoundEntry[] | null): Reading {
  if (action.kind === 'list') return action.file === undefined ? {} : file(call, action.file, 'write');
  if (action.kind === 'print') return {};
  if (action.kind === 'run') return ran(call, action, entries);
  if (entries === null) return unresolved(call, 'input');
  const gone = entries.filter(({ kind }) => kind !== 'directory');
  return files(
    call,
    gone.map(({ path }) => expanded(path)),
    'remove',
  );
}

const expanded = (text: string): Argument => ({ text, source: '{}', is_expanded: true });
const UNKNOWN: Argument = { text: null, source: '{}', is_expanded: true, reason: 'input' };

function ran(
  call: Call,
  { words, is_each, in_dir }: Extract<Action, { kind: 'run' }>,
  entries: readonly FoundEntry[] | null,
): Reading {
  if (entries === null)
    return runs({ kind: 'call', words: words.map((word) => filled(word, UNKNOWN)), stdin: null });
  if (entries.length === 0) return {};
  if (!is_each && !in_dir) {
    const files = entries.map(({ path }) => expanded(path));
    return runs({
      kind: 'call',
      words: words.flatMap((word) => (word.text === '{}' ? files : [word])),
      stdin: null,
    });
  }
  return runsForEach(call, entries, ({ path, name }) => {
    const as = expanded(in_dir ? `./${name}` : path);
    const there = in_dir ? { cwd: absolute(dirName(path), call.cwd) } : {};
    return { kind: 'call', words: words.map((word) => filled(word, as)), stdin: null, ...there };
  });
}

function filled(word: Argument, by: Argument): Argument {
  if (word.text?.includes('{}') !== true) return word;
  const { text } = by;
  return text === null ? { ...by, source: word.source } : { ...by, text: word.text.replaceAll('{}', text) };
}
