/** Archives: their content is not read, but the place where they are unpacked is known. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { joined } from '../path.ts';
import { NOTHING, file, reworded, scope, together, trees, unresolved, within, word } from './reading.ts';

export const HERE = word('.');

const TAR =
  'f,file: C,directory: x,extract,get c,create t,list r,append u,update A,catenate,concatenate d,diff,compare O,to-stdout ' +
  'T,files-from: X,exclude-from: b,blocking-factor: I,use-compress-program: K,starting-file: L,tape-length: N,newer: ' +
  'V,label: g,listed-incremental: F,info-script: H,format: exclude: strip-components: transform,xform: to-command: owner: ' +
  'group: mode: mtime: one-top-level? suffix: s: sort: remove-files delete index-file:';

const tar: Writer = (outer) => {
  const given = options(dashed(outer.args), TAR);
  const inside = within(outer, given.value('C'));
  const archive = given.value('f');
  if (given.has('t', 'd') || (given.has('O') && given.has('x'))) return NOTHING;
  if (given.has('x')) {
    if (given.has('to-command')) return unresolved(outer, 'code');
    const members = membersOf(given.operands, given.has('transform', 'strip-components'));
    return unpacked(inside, given.value('one-top-level') ?? HERE, members);
  }
  const changes = given.has('r', 'u', 'A', 'delete');
  if (archive === undefined || !(given.has('c') || changes)) return NOTHING;
  return together([
    isRemote(archive) ? NOTHING : file(outer, archive, changes ? 'edit' : 'write'),
    given.has('remove-files') ? trees(inside, given.operands, 'remove') : NOTHING,
  ]);
};

/** `tar xzf F`: the first word has options without their dash, which take their values in order. */
function dashed(args: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = args;
  if (first?.text == null || !/^[A-Za-z]+$/.test(first.text)) return args;
  const [flags, valued] = [
    first.text.replace(/[fCTXbIKLNVgFH]/g, ''),
    first.text.match(/[fCTXbIKLNVgFH]/g) ?? [],
  ];
  const given = valued.flatMap((it, nth) => [word(`-${it}`), ...rest.slice(nth, nth + 1)]);
  return [...(flags === '' ? [] : [{ ...first, text: `-${flags}` }]), ...given, ...rest.slice(valued.length)];
}

function membersOf(operands: readonly Argument[], are_renamed: boolean): readonly Argument[] {
  const are_plain = operands.every(({ text }) => text !== null && !/[*?[]/.test(text));
  return are_renamed || !are_plain ? [] : operands;
}

/** Unpacks into `dir`: the members if they are named, otherwise anything below it. */
function unpacked(call: Call, dir: Argument, members: readonly Argument[] = []): Reading {
  if (members.length === 0) return scope(call, 'archive', [dir]);
  const below = members.map((it) => reworded(it, (text) => joined(dir.text ?? '.', text)));
  return scope(call, 'archive', below);
}

const unzip: Writer = (call) => {
  const given = options(call.args, 'd: P: x! O: I:');
  if (given.has('l', 't', 'v', 'z', 'Z', 'p', 'c') || given.operands.length === 0) return NOTHING;
  if (given.has('n')) return NOTHING;
  const members = given.has('x') ? [] : membersOf(given.operands.slice(1), given.has('j'));
  return unpacked(call, given.value('d') ?? HERE, members);
};

const zip: Writer = (call) => {
  const given = options(
    call.args,
    'b,temp-path: i,include! x,exclude! n,suffixes: P,password: t: tt: O,output-file: s,split-size: compression-method:',
  );
  const [archive, ...names] = given.operands;
  if (archive === undefined || given.has('T', 'sf', 'h')) return NOTHING;
  const out = given.value('O') ?? archive;
  const named = reworded(out, (text) => (text === '-' || /\.[^/.]+$/.test(text) ? text : `${text}.zip`));
  const moves = given.has('m') && !given.has('d') ? names : [];
  return together([file(call, named, 'edit'), trees(call, moves, 'remove')]);
};

const sevenZip: Writer = (call) => {
  const [verb, ...rest] = call.args;
  const given = options(rest, '', 'words');
  const archive = given.operands[0];
  if (archive === undefined) return NOTHING;
  if (verb?.text === 'x' || verb?.text === 'e') {
    if (rest.some(({ text }) => text === '-so')) return NOTHING;
    const out = rest.find(({ text }) => text?.startsWith('-o') === true);
    return unpacked(call, out === undefined ? HERE : reworded(out, (text) => text.slice(2)));
  }
  return /^(?:a|u|d|rn)$/.test(verb?.text ?? '') ? file(call, archive, 'edit') : NOTHING;
};

const cpio: Writer = (call) => {
  const given = options(
    call.args,
    'F,file: I: O: D,directory: H,format: E,pattern-file: C,io-size: M,message: R,owner:',
  );
  const dir = given.value('D') ?? HERE;
  if (given.has('t', 'list')) return NOTHING;
  if (given.has('i', 'extract')) return given.has('to-stdout') ? NOTHING : unpacked(call, dir);
  if (given.has('p', 'pass-through')) return unpacked(call, given.operands[0] ?? dir);
  return file(call, given.value('O') ?? given.value('F'), given.has('A') ? 'edit' : 'write');
};

const ar: Writer = (call) => {
  const [first, ...rest] = call.args;
  const letters = (first?.text ?? '').replace(/^-/, '');
  // With a, b or i the name of a member precedes the archive's, with N a number.
  const [archive, ...members] = rest.slice(letters.match(/[abiN]/g)?.length ?? 0);
  if (archive === undefined || /[tp]/.test(letters)) return NOTHING;
  if (letters.includes('x')) return unpacked(call, HERE, members);
  return /[rqdms]/.test(letters) ? file(call, archive, 'edit') : NOTHING;
};

const jar: Writer = (call) => {
  const given = options(dashed(call.args), 'f,file: C: m,manifest: e,main-class:');
  if (given.has('x', 'extract')) return unpacked(call, HERE, given.operands);
  const writes = given.has('c', 'u', 'create', 'update');
  return writes ? file(call, given.value('f'), 'edit') : NOTHING;
};

export const isRemote = ({ text }: Argument): boolean => text !== null && /^[^/]*[^/\\]:/.test(text);

export const ARCHIVES: Readonly<Record<string, Writer>> = {
  ...{ tar, gtar: tar, bsdtar: tar, unzip, zip, cpio, ar, jar },
  ...{ '7z': sevenZip, '7za': sevenZip, '7zz': sevenZip, '7zr': sevenZip },
};
