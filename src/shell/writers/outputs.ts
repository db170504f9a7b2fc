/** Commands whose output file is given by an option or by the position of an operand. */
import type { Call, Reading, Writer } from '../call.ts';
import type { FileAct } from '../effects.ts';
import { optionNames, options, type Style } from './options.ts';
import { NOTHING, file, files, reworded, together, trees, unresolved, word } from './reading.ts';

interface Form {
  /** All options with a value. */
  readonly grammar: string;
  /** Options whose value is a file to write. */
  readonly out?: string;
  /** Options whose value is a directory to fill. */
  readonly dirs?: string;
  /** The operand that is written; -1 is the last. */
  readonly operand?: number;
  readonly act?: FileAct;
  readonly style?: Style;
  /** With one of these, nothing is written. */
  readonly dry?: string;
  /** The default name. */
  readonly usual?: string;
}

const reading =
  (form: Form): Writer =>
  (call) => {
    const given = options(call.args, form.grammar, form.style);
    if (given.has(...optionNames(form.dry))) return NOTHING;
    const outs = optionNames(form.out).flatMap((it) => given.values(it));
    const dirs = optionNames(form.dirs).flatMap((it) => given.values(it));
    const operand = form.operand === undefined ? undefined : given.operands.at(form.operand);
    const usual =
      form.usual !== undefined && outs.length === 0 && dirs.length === 0 ? [word(form.usual)] : [];
    return together([
      files(call, [...outs, ...usual], form.act ?? 'write'),
      trees(call, dirs, 'write'),
      file(call, operand, form.act ?? 'write'),
    ]);
  };

const FORMS: Readonly<Record<string, Form>> = {
  sort: {
    grammar:
      'o,output: k,key: t,field-separator: S,buffer-size: T,temporary-directory: parallel: batch-size: files0-from: sort:',
    out: 'o',
    dry: 'c C check',
  },
  uniq: { grammar: 'f,skip-fields: s,skip-chars: w,check-chars:', operand: 1 },
  shuf: { grammar: 'o,output: n,head-count: i,input-range: random-source:', out: 'o' },
  iconv: { grammar: 'o,output: f,from-code: t,to-code:', out: 'o' },
  xxd: { grammar: 'c,cols: g,groupsize: l,len: s,seek: o: n:', operand: 1, style: 'words' },
  base64: { grammar: 'o,output: i,input: w,wrap: b:', out: 'o' },
  ctags: {
    grammar: 'f,o: languages: exclude: options: L:',
    out: 'f',
    usual: 'tags',
    dry: 'list-languages list-kinds x',
  },
  etags: { grammar: 'o,f,output:', out: 'o', usual: 'TAGS' },
  pandoc: {
    grammar: 'o,output: f,from,r,read: t,to,w,write: extract-media:',
    out: 'o',
    dirs: 'extract-media',
  },
  rustc: {
    grammar: 'o: out-dir: L: l: C: crate-name: crate-type: edition: emit: target: cfg: A: W: D:',
    out: 'o',
    dirs: 'out-dir',
  },
  ld: {
    grammar: 'o: L: l: T: m: e: rpath: soname:',
    out: 'o',
    usual: 'a.out',
    style: 'words',
    dry: 'version v',
  },
  nasm: { grammar: 'o: f: l: i:', out: 'o l' },
  strip: { grammar: 'o: R: N: K: F:', out: 'o' },
  objcopy: { grammar: 'O: I: F: B: j: R: N: K: add-section: set-section-flags:', operand: -1 },
  openssl: {
    grammar:
      'out: keyout: in: inkey: key: days: subj: newkey: config: CA: CAkey: CAserial: extfile: extensions: addext: passin: passout: pass: ' +
      'outform: inform: name: certfile: writerand: signkey: cert: sigfile: pkeyopt: algorithm: set_serial: curve: sign: verify: signature:',
    out: 'out keyout writerand',
    style: 'words',
  },
  gpg: {
    grammar: 'o,output: r,recipient: u,local-user: passphrase: batch-size: homedir: default-key:',
    out: 'o',
  },
  age: { grammar: 'o,output: r,recipient: R: i,identity:', out: 'o' },
  jo: { grammar: 'o:', out: 'o' },
  xmllint: { grammar: 'o,output: xpath: schema: relaxng: dtdvalid: encode: pattern:', out: 'o' },
  xsltproc: { grammar: 'o,output: param: stringparam:', out: 'o' },
  wkhtmltopdf: { grammar: 'page-size: orientation:', operand: -1 },
  'rsvg-convert': { grammar: 'o,output: w,width: h,height: f,format: z,zoom:', out: 'o' },
  mmdc: { grammar: 'i,input: o,output: t,theme: b: c: w: H: s: p:', out: 'o' },
  plantuml: { grammar: 'o: t?', dirs: 'o', style: 'words' },
  pg_dump: { grammar: 'f,file: h: p: U: d: n: t: T: F: j: Z:', out: 'f' },
  mysqldump: { grammar: 'r,result-file: u: h: P: p?', out: 'r' },
  terser: { grammar: 'o,output: c? m? source-map?', out: 'o' },
  uglifyjs: { grammar: 'o,output:', out: 'o' },
  svgo: { grammar: 'o,output: i,input: s,string: f,folder: r p,precision: config:', out: 'o' },
  sass: { grammar: 's,style: I,load-path:', operand: 1 },
  tailwindcss: { grammar: 'i,input: o,output: c,config: content: postcss:', out: 'o' },
  jsdoc: { grammar: 'd: c: t: r', dirs: 'd' },
  typedoc: { grammar: 'out: json: options:', out: 'json', dirs: 'out' },
  qpdf: { grammar: '', operand: 1 },
  pdftotext: { grammar: 'f: l: r: x: y: W: H: enc: layout', operand: 1, style: 'words' },
  sox: { grammar: 'r: c: b: e: t:', operand: -1 },
};

/** dot: `-o FILE`, or `-O` for names derived from the input's. */
const dot: Writer = (call) => {
  const given = options(call.args, 'o: T: K: G: N: E: l: s? n?');
  const formats = given.values('T').flatMap(({ text }) => text ?? []);
  const made = given.has('O')
    ? given.operands.flatMap((it) => formats.map((format) => reworded(it, (text) => `${text}.${format}`)))
    : [];
  return files(call, [...given.values('o'), ...made], 'write');
};

/** ffmpeg, convert: the last word is the output. ffmpeg asks before it overwrites, unless told not to, and gets no answer here. */
const lastWord: Writer = (call) => {
  const name = call.args.at(-1);
  const has = (option: string) => call.args.some(({ text }) => text === option);
  if (name === undefined || call.args.length < 2 || name.text?.startsWith('-') === true) return NOTHING;
  if (
    has('-version') ||
    has('-list') ||
    /^(?:null|info|tcp|udp|rtmp|pipe|rtsp|https?|txt):/.test(name.text ?? '')
  )
    return NOTHING;
  const plain = reworded(name, (text) => text.replace(/^(?:[a-z]{2,5}[0-9]*|file):(?!\/\/)/, ''));
  return file(call, plain, call.name === 'ffmpeg' && !has('-y') ? 'create' : 'write');
};

const magick: Writer = (call) => {
  const [verb, ...rest] = call.args;
  if (verb?.text === 'mogrify') return mogrify({ ...call, args: rest });
  return verb?.text === 'identify' || verb?.text === 'compare' ? NOTHING : lastWord(call);
};

/** Its operands are the words with an extension: any other word may be an option's value. */
const mogrify: Writer = (call) => {
  const is_elsewhere = call.args.some(({ text }) => text === '-path' || text === '-format');
  if (is_elsewhere) return unresolved(call, 'input');
  const names = call.args.filter(({ text }) => text !== null && /^[^-].*\.\w{2,5}$/.test(text));
  return files(call, names, 'edit');
};

const sshKeygen: Writer = (call) => {
  const given = options(call.args, 'f: t: b: C: N: P: m: R: F: s: I: n: V: O: Y: a: D: z:');
  const name = given.value('f');
  if (name === undefined || given.has('y', 'l', 'F', 'i', 'e', 'Y', 'B', 'E')) return NOTHING;
  if (given.has('R', 'p', 'c')) return file(call, name, 'edit');
  return files(call, [name, reworded(name, (text) => `${text}.pub`)], 'write');
};

const READS =
  /^\s*(?:select|explain|with\b(?![\s\S]*\b(?:insert|update|delete|replace)\b)|pragma\s+\w+(?:\([^)]*\))?\s*$|\.(?:schema|tables|dump|indexes|indices|databases|mode|headers?|width|help|show|nullvalue|separator|fullschema|quit|exit|timeout|changes|echo|eqp|explain|stats|timer|lint|prompt|version|parameter)\b)/i;
const WRITES =
  /^\s*(?:insert|update|delete|replace|create|drop|alter|vacuum|reindex|analyze|begin|commit|end|rollback|savepoint|release|pragma)\b/i;

/** A database is written if one statement is known to write, and read if all are known to read; otherwise it is unknown. */
const sqlite: Writer = (call) => {
  const given = options(call.args, 'cmd: init: separator: newline: nullvalue: mmap: vfs: maxsize:', 'words');
  const [database, ...sql] = given.operands;
  if (database === undefined || database.text === ':memory:' || given.has('readonly', 'help')) return NOTHING;
  const texts = [...sql, ...given.values('cmd')].map(({ text }) => text);
  const said = texts.length > 0 ? texts : [call.stdin];
  if (said[0] === null && texts.length === 0 && !call.is_piped) return NOTHING;
  return ofStatements(call, said, file(call, database, 'edit'));
};

function ofStatements(call: Call, texts: readonly (string | null)[], written: Reading): Reading {
  const statements = texts
    .flatMap((text) => (text === null ? [null] : text.split(/;|\n(?=\.)/)))
    .filter((it) => it?.trim() !== '');
  const bare = statements.map((it) => it?.replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '') ?? null);
  if (bare.some((it) => it !== null && WRITES.test(it) && !READS.test(it))) return written;
  return bare.every((it) => it !== null && READS.test(it)) ? NOTHING : unresolved(call, 'input');
}

export const OUTPUTS: Readonly<Record<string, Writer>> = {
  ...Object.fromEntries(Object.entries(FORMS).map(([name, form]) => [name, reading(form)])),
  ...{ dot, neato: dot, fdp: dot, circo: dot, twopi: dot, sfdp: dot },
  ...{ ffmpeg: lastWord, convert: lastWord, magick, mogrify },
  ...{ 'ssh-keygen': sshKeygen, sqlite3: sqlite, sqlite },
};
