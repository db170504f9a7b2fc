/** Commands that create, empty, remove or mark the files they name. */
import type { Argument, Call, Writer } from '../call.ts';
import { cp, install, link, ln, mv } from './copy.ts';
import { options } from './options.ts';
import { dirName } from '../path.ts';
import { NOTHING, file, files, kindOf, reworded, scope, together, trees } from './reading.ts';

const rm: Writer = (call) => {
  const given = options(call.args, 'r,R,recursive d,dir interactive?');
  if (given.has('r')) return trees(call, given.operands, 'remove');
  const gone = given.operands.filter((name) => given.has('d') || kindOf(call, name) !== 'directory');
  return files(call, gone, 'remove');
};

const rmdir: Writer = (call) => {
  const given = options(call.args, 'p,parents');
  const withParents = (name: Argument): Argument[] =>
    name.text === null || !name.text.replace(/\/+$/, '').includes('/')
      ? [name]
      : [name, ...withParents(reworded(name, dirName))];
  return files(call, given.has('p') ? given.operands.flatMap(withParents) : given.operands, 'remove');
};

const shred: Writer = (call) => {
  const given = options(call.args, 'u,remove? n,iterations: s,size: random-source:');
  return files(call, given.operands, given.has('u') ? 'remove' : 'write');
};

const truncate: Writer = (call) => {
  const given = options(call.args, 's,size: r,reference: c,no-create');
  const names = given.has('c') ? existing(call, given.operands) : given.operands;
  return files(call, names, given.value('s')?.text === '0' ? 'write' : 'edit');
};

const touch: Writer = (call) => {
  const given = options(call.args, 'd,date: r,reference: t: time: c,no-create A:');
  const names = given.has('c') ? existing(call, given.operands) : given.operands;
  return together(names.map((it) => file(call, it, kindOf(call, it) === null ? 'create' : 'attributes')));
};

const mkdir: Writer = (call) => {
  const given = options(call.args, 'm,mode: p,parents context?');
  const absent = given.operands.filter((it) => it.text === null || kindOf(call, it) === null);
  return files(call, absent, 'create');
};

/** chmod, chown, chgrp: a mode may begin with a dash, so `-x` is not an option here. */
const attributes: Writer = (call) => {
  const isFlag = (it: Argument): boolean =>
    it.text !== null && (it.text.startsWith('--') || /^-[RvcfhHLP]+$/.test(it.text));
  const flags = call.args.filter(isFlag);
  const names = call.args.filter((it) => !isFlag(it));
  const has_reference = flags.some((it) => it.text?.startsWith('--reference=') === true);
  const is_recursive = flags.some((it) => it.text === '--recursive' || /^-\w*R/.test(it.text ?? ''));
  const marked = has_reference ? names : names.slice(1);
  return (is_recursive ? trees : files)(call, marked, 'attributes');
};

const tee: Writer = (call) => {
  const given = options(call.args, 'a,append output-error?');
  return files(call, given.operands, given.has('a') ? 'append' : 'write');
};

const dd: Writer = (call) => {
  const word = (key: string) => call.args.findLast((it) => (it.text ?? it.source).startsWith(`${key}=`));
  const out = word('of');
  if (out === undefined) return NOTHING;
  const keeps = /notrunc|append/.test(`${word('conv')?.text ?? ''} ${word('oflag')?.text ?? ''}`);
  const name = reworded(out, (text) => text.slice(3));
  return file(call, name, keeps ? 'edit' : 'write');
};

const split: Writer = (call) => {
  const given = options(
    call.args,
    'a,suffix-length: b,bytes: C,line-bytes: l,lines: n,number: t,separator: additional-suffix: filter: d,numeric-suffixes? x,hex-suffixes?',
  );
  if (given.has('filter')) return NOTHING;
  const length = Number(given.value('a')?.text ?? '2');
  const letter = given.has('d') ? '[0-9]' : given.has('x') ? '[0-9a-f]' : '[a-z]';
  const end =
    letter.repeat(length > 0 && length < 20 ? length : 2) + (given.value('additional-suffix')?.text ?? '');
  return scope(call, 'generator', [prefixed(given.operands[1], 'x', end)]);
};

const csplit: Writer = (call) => {
  const given = options(call.args, 'f,prefix: b,suffix-format: n,digits:');
  const end = given.has('b')
    ? '*'
    : '[0-9]'.repeat(Math.min(Math.max(Number(given.value('n')?.text ?? '2') || 2, 1), 20));
  return scope(call, 'generator', [prefixed(given.value('f'), 'xx', end)]);
};

/** GNU and BSD `rename` move the files they name; the new names are unknown. util-linux: `rename FROM TO FILES`. */
const rename: Writer = (call) => {
  const given = options(call.args, 'e:');
  const [first, second] = given.operands;
  if (given.has('n', 'no-act', 'dry-run')) return NOTHING;
  if (given.has('e')) return files(call, given.operands, 'move');
  if (first?.text == null || /^(?:[smy]|tr)\W|[$;({]/.test(first.text))
    return files(call, given.operands.slice(1), 'move');
  const names = given.operands
    .slice(2)
    .filter((it) => it.text === null || it.text.includes(first.text ?? ''));
  const changed = names.map((it) =>
    reworded(it, (text) => text.replace(first.text ?? '', () => second?.text ?? '')),
  );
  return together([files(call, names, 'move'), files(call, changed, 'write')]);
};

const each =
  (act: 'remove' | 'create', grammar = ''): Writer =>
  (call) =>
    files(call, options(call.args, grammar).operands, act);

const mknod: Writer = (call) => files(call, options(call.args, 'm,mode:').operands.slice(0, 1), 'create');

function existing(call: Call, names: readonly Argument[]): readonly Argument[] {
  return names.filter((it) => it.text === null || kindOf(call, it) !== null);
}

/** The names that a splitting command generates: never more than its own pattern. */
function prefixed(prefix: Argument | undefined, plain: string, end: string): Argument {
  if (prefix === undefined) return { text: plain + end, source: plain, is_expanded: false };
  return reworded(prefix, (text) => text + end);
}

const trash: Writer = (call) => trees(call, options(call.args, '').operands, 'remove');

export const COREUTILS: Readonly<Record<string, Writer>> = {
  ...{ cp, gcp: cp, mv, gmv: mv, install, ginstall: install, ln, gln: ln, link },
  ...{ rm, grm: rm, rmdir, unlink: each('remove'), shred, trash, 'trash-put': trash, 'gio-trash': trash },
  ...{ truncate, touch, gtouch: touch, mkdir, mkfifo: each('create', 'm,mode:'), mknod },
  ...{ chmod: attributes, chown: attributes, chgrp: attributes },
  ...{ tee, sponge: tee, dd, split, gsplit: split, csplit, rename, prename: rename, 'file-rename': rename },
};
