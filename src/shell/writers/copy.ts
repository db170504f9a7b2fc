/** cp, mv, install, ln, link: which files arrive under which name. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import type { EffectTarget } from '../effects.ts';
import { options, type Options } from './options.ts';
import { baseName, joined } from '../path.ts';
import { NOTHING, file, kindOf, pathOf, reworded, together, tree } from './reading.ts';

const COMMON = 't,target-directory: T,no-target-directory S,suffix: b,backup? n,no-clobber f,force update?';

/** Entries of a copied directory that are listed one by one; for a larger one only the directory is reported. */
const MOST_ENTRIES = 300;

export const cp: Writer = (call) => {
  const given = options(call.args, `${COMMON} r,R,recursive a,archive parents no-preserve: sparse:`);
  const is_recursive = given.has('r', 'a');
  const act = keepsWhatIsThere(given) ? 'create' : 'write';
  return together(
    arrivals(call, given).map(({ from, to }) => {
      const kind = kindOf(call, from);
      if (kind === 'directory' && !is_recursive) return NOTHING;
      if (kind !== 'file' && is_recursive) return copiedTree(call, from, to, act);
      return together([file(call, to, act), backup(call, given, to)]);
    }),
  );
};

export const mv: Writer = (call) => {
  const given = options(call.args, COMMON);
  const act = keepsWhatIsThere(given) ? 'create' : 'write';
  return together(
    arrivals(call, given).map(({ from, to }) => {
      if (keepsWhatIsThere(given) && kindOf(call, to) !== null) return NOTHING;
      if (kindOf(call, from) !== 'directory')
        return together([file(call, from, 'move'), file(call, to, act), backup(call, given, to)]);
      return together([tree(call, from, 'move'), tree(call, to, act)]);
    }),
  );
};

export const install: Writer = (call) => {
  const given = options(
    call.args,
    `${COMMON} d,directory m,mode: o,owner: g,group: strip-program: context? D`,
  );
  if (given.has('d')) return together(given.operands.map((it) => file(call, it, 'create')));
  return together(
    arrivals(call, given).map(({ to }) => together([file(call, to, 'write'), backup(call, given, to)])),
  );
};

export const ln: Writer = (call) => {
  const given = options(call.args, `${COMMON} s,symbolic r,relative h,n,no-dereference L P i v`);
  const act = given.has('f', 'b') ? 'write' : 'create';
  const [only, second] = given.operands;
  const places =
    only !== undefined && second === undefined && !given.has('t')
      ? [reworded(only, baseName)]
      : arrivals(call, given).map(({ to }) => to);
  return together(places.map((to) => together([file(call, to, act), backup(call, given, to)])));
};

export const link: Writer = (call) => file(call, options(call.args, '').operands[1], 'create');

interface Arrival {
  readonly from: Argument;
  readonly to: Argument;
}

/** Each source with the name under which it arrives; the destination's text or the disk shows if it is a directory. */
export function arrivals(call: Call, given: Options): readonly Arrival[] {
  const target = given.value('t');
  const sources = target === undefined ? given.operands.slice(0, -1) : given.operands;
  const to = target ?? given.operands.at(-1);
  if (to === undefined || sources.length === 0) return [];
  const is_directory = target !== undefined || sources.length > 1 || looksLikeDirectory(call, to);
  if (!is_directory || given.has('T')) return sources.map((from) => ({ from, to }));
  return sources.map((from) => ({ from, to: argumentInside(to, from, given.has('parents')) }));
}

export function looksLikeDirectory(call: Call, to: Argument): boolean {
  return to.text !== null && (/(?:^|\/)\.{0,2}$/.test(to.text) || kindOf(call, to) === 'directory');
}

/** `SOURCE` below `dir`; `a/.` means the entries of a. */
export function argumentInside(dir: Argument, from: Argument, keeps_parents = false): Argument {
  if (dir.text === null || from.text === null) return { ...reworded(from, String), text: null };
  const name = keeps_parents ? from.text : baseName(from.text);
  return { ...from, text: name === '.' || name === '..' ? dir.text : joined(dir.text, name) };
}

/** The files that a copied directory brings, one by one if it exists and is small: other files in `to` stay. */
export function copiedTree(call: Call, from: Argument, to: Argument, act: 'create' | 'write'): Reading {
  const [names, below] = [entriesBelow(call, from), pathOf(call, to)];
  if (names === null || below === null) return file(call, to, act, { is_tree: true });
  const made = names.map((name) =>
    file(call, { ...to, text: joined(below, name), source: from.source }, act),
  );
  return together([...(call.start.look.kind(below) === null ? [file(call, to, 'create')] : []), ...made]);
}

/** Files below a directory, relative to it; null if it cannot be listed or is too large. */
export function entriesBelow(call: Call, top: Argument): readonly string[] | null {
  const { look } = call.start;
  const root = pathOf(call, top);
  if (root === null || look.kind(root) !== 'directory') return null;
  const [found, dirs]: [string[], string[]] = [[], ['']];
  for (let seen = 0, dir = dirs.pop(); dir !== undefined; dir = dirs.pop()) {
    for (const name of look.list(joined(root, dir))) {
      if (++seen > MOST_ENTRIES) return null;
      const path = dir === '' ? name : `${dir}/${name}`;
      const kind = look.kind(joined(root, path));
      if (kind === 'directory') dirs.push(path);
      else if (kind !== null) found.push(path);
    }
  }
  return found;
}

/** The old content, kept under another name. */
function backup(call: Call, given: Options, to: Argument): Reading {
  if (!given.has('b') || kindOf(call, to) !== 'file') return NOTHING;
  const how = given.value('b')?.text;
  if (how === 'none' || how === 'off') return NOTHING;
  const is_numbered = how === 'numbered' || how === 't';
  const suffix = given.value('S')?.text ?? '~';
  const kept = reworded(to, (text) => (is_numbered ? nextNumber(call, to, text) : text + suffix));
  return file(call, kept, 'write' satisfies EffectTarget['act']);
}

function nextNumber(call: Call, to: Argument, text: string): string {
  let nth = 1;
  while (nth < 100 && kindOf(call, { ...to, text: `${text}.~${nth}~` }) !== null) nth++;
  return `${text}.~${nth}~`;
}

function keepsWhatIsThere(given: Options): boolean {
  return given.has('n') || given.value('update')?.text === 'none';
}
