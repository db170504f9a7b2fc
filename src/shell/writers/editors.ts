/** Editors that take their commands as arguments, and small tools that change files in place. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { awk } from './awk.ts';
import { options } from './options.ts';
import {
  NOTHING,
  file,
  files,
  kindOf,
  reworded,
  runsLines,
  together,
  trees,
  unresolved,
  word,
} from './reading.ts';
import { patch } from './patch.ts';
import { sed } from './sed.ts';

/** `w`, `wq`, `x`, `update` with an optional range, `!` and file name. */
const WRITES =
  /^[\s:]*[%\d.,$+'<>-]*(?:w|wq|wa|wqa|wqall|x|xa|xit|up|update|exit|write)!?(?:\s+(?!>>)(\S+))?\s*$/;

const ed: Writer = (call) => {
  const given = options(call.args, 'p,prompt:');
  const name = given.operands.find(({ text }) => text !== '-');
  if (call.stdin === null) return call.is_piped && name !== undefined ? unresolved(call, 'input') : NOTHING;
  return saved(call, call.stdin.split('\n'), name === undefined ? [] : [name]);
};

/** ex, vi, vim, nvim. */
const vim: Writer = (call) => {
  const given = options(call.args, 'c,cmd: S: u: U: i: T: t: W:');
  const is_command = ({ text }: Argument): boolean => text?.startsWith('+') === true;
  const names = given.operands.filter((it) => !is_command(it));
  const commands = [
    ...given.values('c').map(({ text }) => text ?? ''),
    ...given.operands.filter(is_command).map(({ text }) => (text ?? '').slice(1)),
    ...(call.stdin ?? '').split('\n'),
  ];
  if (given.has('S')) return unresolved(call, 'script');
  const parts = commands.flatMap((it) => it.split('|'));
  const shell = commands.flatMap((it) => /^[\s:]*!(.+)$/.exec(it)?.[1] ?? []);
  return together([saved(call, parts, names), runsLines(shell)]);
};

function saved(call: Call, commands: readonly string[], names: readonly Argument[]): Reading {
  const saves = commands.flatMap((it) => WRITES.exec(it) ?? []).length > 0;
  const others = commands.flatMap((it) => WRITES.exec(it)?.[1] ?? []);
  const own = saves && commands.some((it) => WRITES.test(it) && WRITES.exec(it)?.[1] === undefined);
  return together([
    own ? files(call, names, 'edit') : NOTHING,
    ...others.map((it) => file(call, word(it), 'write')),
  ]);
}

/** dos2unix and similar tools: `-n IN OUT` leaves the first of each pair unchanged. */
const lineEnds: Writer = (call) => {
  const given = options(call.args, 'c,convmode: i,info? D,display-enc: O,to-stdout');
  if (given.has('i', 'O')) return NOTHING;
  if (!given.has('n', 'newfile')) return files(call, given.operands, 'edit');
  const outs = given.operands.filter((_, nth) => nth % 2 === 1);
  return files(call, outs, 'write');
};

const yq: Writer = (call) => {
  const given = options(
    call.args,
    'i,inplace I,indent: o,output-format: p,input-format: from-file: expression: arg: argjson: w,width:',
  );
  if (!given.has('i', 'in-place')) return NOTHING;
  const words = /^(?:e|ea|eval|eval-all)$/.test(given.operands[0]?.text ?? '')
    ? given.operands.slice(1)
    : given.operands;
  const has_expression = given.has('from-file', 'expression');
  return files(call, has_expression ? words : words.slice(1), 'edit');
};

const sd: Writer = (call) => {
  const given = options(call.args, 'f,flags: n,max-replacements:');
  return given.has('p', 'preview') ? NOTHING : files(call, given.operands.slice(2), 'edit');
};

const rpl: Writer = (call) => {
  const given = options(call.args, 'x,suffix: E,encoding:');
  if (given.has('s', 'simulate')) return NOTHING;
  const is_tree = given.has('R', 'recursive');
  return (is_tree ? trees : files)(call, given.operands.slice(2), 'edit');
};

const crudini: Writer = (call) => {
  const given = options(call.args, 'output: format:');
  if (given.has('get') || !given.has('set', 'del', 'merge')) return NOTHING;
  return file(call, given.value('output') ?? given.operands[0], 'edit');
};

const xmlstarlet: Writer = (call) => {
  const verb = call.args[0]?.text;
  const is_in_place = call.args.some(({ text }) => text === '-L' || text === '--inplace');
  return is_in_place && (verb === 'ed' || verb === 'edit') ? file(call, call.args.at(-1), 'edit') : NOTHING;
};

/** GNU indent keeps the old text under `name~`. */
const indent: Writer = (call) => {
  const given = options(call.args, 'o,output-file:', 'words');
  const out = given.value('o');
  if (given.has('st', 'standard-output')) return NOTHING;
  if (out !== undefined) return file(call, out, 'write');
  const kept = given.operands.map((it) => reworded(it, (text) => `${text}~`));
  return together([files(call, given.operands, 'edit'), files(call, kept, 'write')]);
};

const plutil: Writer = (call) => {
  const name = call.args.at(-1);
  const edits = call.args.some(({ text }) => /^-(?:replace|insert|remove|convert)$/.test(text ?? ''));
  return edits && name !== undefined && kindOf(call, name) !== null ? file(call, name, 'edit') : NOTHING;
};

export const EDITORS: Readonly<Record<string, Writer>> = {
  ...{ sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk, patch, gpatch: patch, ed, red: ed },
  ...{ ex: vim, vi: vim, vim, nvim: vim, vimdiff: vim },
  ...{ dos2unix: lineEnds, unix2dos: lineEnds, mac2unix: lineEnds, unix2mac: lineEnds },
  ...{ yq, sd, rpl, crudini, xmlstarlet, xml: xmlstarlet, indent, plutil },
};
