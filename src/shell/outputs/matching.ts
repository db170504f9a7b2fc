/** `grep -l` and `rg -l`: the files that contain a text, which agents pass on to `sed -i`. */
import type { Call } from '../call.ts';
import { LIMITS } from '../limits.ts';
import { absolute, baseName, joined } from '../path.ts';
import { matches, tokensOf } from '../pattern.ts';
import { options, type Options } from '../writers/options.ts';
import { kindOf, textOn } from '../writers/reading.ts';
import { type Output, wordsOf } from './output.ts';

const GRAMMAR =
  'r,R,recursive,dereference-recursive l,files-with-matches,files-with-match i,ignore-case w,word-regexp F,fixed-strings ' +
  'Z,null,0 include: exclude: exclude-dir: e,regexp:';
/** Other options change what is found. */
const READ =
  /^(?:-[rRliwFZ0sEnH]*e?|--(?:recursive|dereference-recursive|files-with-match(?:es)?|ignore-case|word-regexp|fixed-strings|null|(?:include|exclude|exclude-dir|regexp)(?:=.*)?))$/s;
/** Further files are not searched. */
const FILES_MAX = 1_024;
const NEVER_IN = new Set(['.git', 'node_modules']);

/** Files over 64 KB are left out, like files that are not text. */
const matching =
  (is_recursive: boolean): Output =>
  (call) => {
    const given = options(call.args, GRAMMAR);
    const words = wordsOf(given.operands);
    const isRead = call.args.every(
      ({ text }) => text !== null && (!/^-[^-]|^--./.test(text) || READ.test(text)),
    );
    if (words === null || !given.has('l') || !isRead) return null;
    const pattern = given.has('e') ? given.value('e')?.text : words[0];
    const roots = given.has('e') ? words : words.slice(1);
    const test = testOf(pattern ?? '', given);
    const recurses = is_recursive || given.has('r');
    if (test === null || (roots.length === 0 && !recurses)) return null;
    const names = roots.length > 0 ? roots : [''];
    const files = names.flatMap((root) => filesIn(call, root, recurses, given));
    if (files.length > FILES_MAX) return null;
    const end = given.has('Z') ? '\0' : '\n';
    return files
      .filter((file) => test(textOn(call, { text: file }) ?? ''))
      .map((file) => file + end)
      .join('');
  };

/** Null if the pattern is more than literal text. */
function testOf(pattern: string, given: Options): ((text: string) => boolean) | null {
  if (
    pattern === '' ||
    (!given.has('F') && !/^[\w\s"'/,:;=<>@#%&!~-]+(?:\\?\.[\w\s"'/,:;=<>@#%&!~-]+)*$/.test(pattern))
  )
    return null;
  const plain = given.has('F') ? pattern : pattern.replaceAll('\\.', '.');
  const source = plain.replace(/[$()*+?[\\\]^{|}]/g, '\\$&').replaceAll('.', given.has('F') ? '\\.' : '.');
  const whole = given.has('w') ? `(?<!\\w)${source}(?!\\w)` : source;
  const found = new RegExp(whole, given.has('i') ? 'iu' : 'u');
  return (text) => found.test(text);
}

function filesIn(call: Call, root: string, recurses: boolean, given: Options): string[] {
  const { look } = call.start;
  if (kindOf(call, { text: root }) === 'file') return [root];
  const found: string[] = [];
  const open = recurses && kindOf(call, { text: root }) === 'directory' ? [root] : [];
  for (let at = 0; at < open.length && found.length <= FILES_MAX && at < LIMITS.names; at++) {
    const dir = open[at] ?? '';
    for (const name of look.list(absolute(dir, call.cwd) ?? '')) {
      const path = dir === '' ? name : joined(dir, name);
      const kind = kindOf(call, { text: path });
      if (kind === 'directory' && !NEVER_IN.has(name) && !isNamed(given, 'exclude-dir', name))
        open.push(path);
      if (kind === 'file' && isWanted(given, path)) found.push(path);
    }
  }
  return found;
}

const isWanted = (given: Options, path: string): boolean =>
  (!given.has('include') || isNamed(given, 'include', baseName(path))) &&
  !isNamed(given, 'exclude', baseName(path));

const isNamed = (given: Options, option: string, name: string): boolean =>
  given
    .values(option)
    .some(({ text }) => text !== null && matches(tokensOf([{ text, is_quoted: false }]), Array.from(name)));

export const MATCHING: Readonly<Record<string, Output>> = {
  ...{ grep: matching(false), egrep: matching(false), fgrep: matching(false), ggrep: matching(false) },
  rg: matching(true),
};
