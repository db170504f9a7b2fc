/** Copies from or to another place: rsync, scp, curl, wget. A remote destination is not a local file. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { HERE, isRemote } from './archives.ts';
import { arrivals, entriesBelow, argumentInside, looksLikeDirectory } from './copy.ts';
import { options } from './options.ts';
import { baseName, joined } from '../path.ts';
import { file, files, kindOf, NOTHING, reworded, scope, together, trees, unresolved } from './reading.ts';

const RSYNC =
  'e,rsh: f,filter: exclude: include: exclude-from: include-from: files-from: T,temp-dir: B,block-size: M,remote-option: ' +
  'backup-dir: suffix: log-file: chmod: chown: usermap: groupmap: compare-dest: copy-dest: link-dest: port: password-file: ' +
  'timeout: contimeout: bwlimit: max-size: min-size: partial-dir: max-delete: out-format: info: debug: rsync-path: ' +
  'modify-window: compress-level: n,dry-run list-only r,recursive a,archive delete remove-source-files R,relative';

const rsync: Writer = (call) => {
  const given = options(call.args, RSYNC);
  const to = given.operands.at(-1);
  const sources = given.operands.slice(0, -1);
  if (to === undefined || sources.length === 0 || given.has('n', 'list-only')) return NOTHING;
  const moved = given.has('remove-source-files') ? sources.filter((it) => !isRemote(it)) : [];
  const is_recursive = given.has('r', 'a');
  const deletes = call.args.some(({ text }) => text !== null && /^--del/.test(text));
  return together([
    file(call, given.value('log-file'), 'append'),
    trees(call, moved, 'move'),
    ...(isRemote(to) ? [] : sources.map((from) => synced(call, from, to, is_recursive))),
    trees(call, !isRemote(to) && deletes ? [to] : [], 'remove'),
  ]);
};

/** `a/` means the content of a. Filters only reduce the set, so the files of a directory are a scope. */
function synced(call: Call, from: Argument, to: Argument, is_recursive: boolean): Reading {
  if (from.text === null || isRemote(from)) return scope(call, 'archive', [to]);
  const is_content = from.text.endsWith('/');
  const kind = kindOf(call, from);
  if (kind === 'directory' && !is_recursive) return NOTHING;
  if (kind === 'file')
    return file(call, looksLikeDirectory(call, to) ? argumentInside(to, from) : to, 'write');
  const names = entriesBelow(call, from);
  const place = is_content ? to : argumentInside(to, from);
  if (names === null) return scope(call, 'archive', [place]);
  const below = names.map((name) => reworded(place, (text) => joined(text, name)));
  return scope(call, 'archive', below);
}

const scp: Writer = (call) => {
  const given = options(call.args, 'P: i: o: F: c: J: l: S: D: X:');
  const to = given.operands.at(-1);
  if (to === undefined || isRemote(to)) return NOTHING;
  const local = given.operands.map((it) =>
    isRemote(it) ? reworded(it, (text) => text.slice(text.indexOf(':') + 1)) : it,
  );
  const places = arrivals(call, { ...given, operands: local }).map((one) => one.to);
  return (given.has('r') ? trees : files)(call, places, 'write');
};

const CURL =
  'o,output: O,remote-name output-dir: J,remote-header-name D,dump-header: c,cookie-jar: trace: trace-ascii: stderr: etag-save: ' +
  'hsts: alt-svc: libcurl: H,header: d,data: data-raw: data-binary: data-urlencode: json: X,request: u,user: A,user-agent: ' +
  'e,referer: b,cookie: F,form: T,upload-file: m,max-time: x,proxy: w,write-out: r,range: C,continue-at: z,time-cond: E,cert: ' +
  'y: Y: Q,quote: U,proxy-user: K,config: t: P: cacert: key: retry: retry-delay: retry-max-time: connect-timeout: resolve: url: ' +
  'oauth2-bearer: max-redirs: interface: limit-rate: etag-compare: create-file-mode:';

const curl: Writer = (call) => {
  const given = options(call.args, CURL);
  const dir = given.value('output-dir');
  const placed = (name: Argument) =>
    dir === undefined || name.text === '-' ? name : reworded(name, (text) => joined(dir.text ?? '', text));
  const plain = ['D', 'c', 'trace', 'trace-ascii', 'stderr', 'etag-save', 'hsts', 'alt-svc', 'libcurl'];
  const is_remote_name = given.has('O', 'remote-name-all');
  const urls = [...given.operands, ...given.values('url')];
  return together([
    given.has('K') ? unresolved(call, 'input') : NOTHING,
    given.has('J') && is_remote_name ? unresolved(call, 'input') : NOTHING,
    files(call, given.values('o').map(placed), 'write'),
    ...(is_remote_name ? urls.map((it) => file(call, placed(reworded(it, urlName)), 'write')) : []),
    ...plain.map((it) => files(call, given.values(it), 'write')),
  ]);
};

const WGET =
  'O,output-document: P,directory-prefix: o,output-file: a,append-output: i,input-file: n: e,execute: t,tries: T,timeout: w,wait: ' +
  'U,user-agent: l,level: A,accept: R,reject: D,domains: B,base: Q,quota: I: X: header: post-data: post-file: body-data: method: ' +
  'user: password: save-cookies: load-cookies: limit-rate: ca-certificate: referer: r,recursive m,mirror p,page-requisites ' +
  'spider c,continue N,timestamping x,force-directories content-disposition no-clobber';

const wget: Writer = (call) => {
  const given = options(call.args, WGET);
  const logs = together([
    files(call, [...given.values('o'), ...given.values('save-cookies')], 'write'),
    files(call, given.values('a'), 'append'),
  ]);
  const out = given.value('O');
  if (given.has('spider')) return logs;
  if (out !== undefined) return together([logs, file(call, out, 'write')]);
  const dir = given.value('P');
  if (given.has('r', 'm', 'p', 'x', 'i', 'content-disposition'))
    return together([logs, scope(call, 'archive', [dir ?? HERE])]);
  const act = given.has('N') ? 'write' : given.has('c') ? 'append' : 'create';
  const names = given.operands.map((it) =>
    reworded(it, (url) => joined(dir?.text ?? '.', urlName(url) || 'index.html')),
  );
  return together([logs, files(call, names, act)]);
};

/** aria2c. */
const aria: Writer = (call) => {
  const given = options(
    call.args,
    'd,dir: o,out: s,split: x,max-connection-per-server: i,input-file: l,log: j: k: header: S?',
  );
  const dir = given.value('d')?.text ?? '.';
  const names = given.has('o') ? given.values('o') : given.operands.map((it) => reworded(it, urlName));
  const below = names.map((it) => reworded(it, (text) => joined(dir, text)));
  return files(call, below, 'write');
};

/** http, https, xh. */
const http: Writer = (call) => {
  const given = options(
    call.args,
    'o,output: a,auth: A,auth-type: s,style: p,print: session: timeout: d,download',
  );
  const out = given.value('o');
  if (out !== undefined) return file(call, out, 'write');
  return given.has('d') ? unresolved(call, 'input') : NOTHING;
};

function urlName(url: string): string {
  const path = url.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '');
  return path.includes('/') && !path.endsWith('/') ? baseName(path) : '';
}

export const TRANSFERS: Readonly<Record<string, Writer>> = {
  ...{ rsync, scp, curl, wget, aria2c: aria, http, https: http, xh: http, xhs: http },
};
