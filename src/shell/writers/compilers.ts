/** Compilers and bundlers: the named file, or the directory that a build fills. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options, type Options } from './options.ts';
import { baseName, joined } from '../path.ts';
import { NOTHING, file, files, reworded, scope, textOn, together, within, word, asWords } from './reading.ts';

const CC =
  'o: I: L: l: D: U: x: include: isystem: MF: MT: MQ: Xlinker: Xclang: T: u: idirafter: iquote: framework: arch: target:';

const SOURCES = /\.(?:c|cc|cpp|cxx|C|m|mm|s|S|f|f90)$/;

const cc: Writer = (call) => {
  const given = options(call.args, CC, 'words');
  const attached = call.args.filter(({ text }) => /^-o[^b-].*/.test(text ?? '') && text !== '-object');
  const out = given.value('o') ?? attached.map((it) => reworded(it, (text) => text.slice(2)))[0];
  const sources = given.operands.filter(
    ({ text }) => text === null || SOURCES.test(text) || text.endsWith('.o'),
  );
  if (given.has('E', 'fsyntax-only', 'M', 'MM', 'v') && out === undefined) return NOTHING;
  const made = out !== undefined ? [out] : sources.length > 0 ? objectsOf(sources, given) : [];
  return together([files(call, made, 'write'), file(call, given.value('MF'), 'write')]);
};

function objectsOf(sources: readonly Argument[], given: Options): readonly Argument[] {
  if (!given.has('c', 'S')) return [word('a.out')];
  const end = given.has('S') ? '.s' : '.o';
  return sources.map((it) => reworded(it, (text) => baseName(text).replace(/\.[^.]+$/, end)));
}

const tsc: Writer = (call) => {
  const given = options(
    call.args,
    'outDir: outFile: p,project: declarationDir: t,target: m,module: lib: jsx: rootDir: types: moduleResolution: baseUrl: strict? tsBuildInfoFile:',
    'words',
  );
  if (given.has('noEmit', 'showConfig', 'listFilesOnly', 'h', 'v', 'all')) return NOTHING;
  if (given.has('init')) return file(call, word('tsconfig.json'), 'create');
  const out = given.value('outFile');
  const dirs = [...given.values('outDir'), ...given.values('declarationDir')];
  if (out !== undefined) return file(call, out, 'write');
  if (dirs.length > 0) return scope(call, 'build', dirs);
  const sources = given.operands.filter(({ text }) => text === null || /\.[cm]?tsx?$/.test(text));
  const made = sources.map((it) => reworded(it, (name) => name.replace(/\.([cm]?)tsx?$/, '.$1js')));
  return made.length > 0 ? files(call, made, 'write') : byProject(call, given.value('p') ?? word('.'));
};

/** According to the project's own tsconfig.json, without resolving what it extends. */
function byProject(call: Call, project: Argument): Reading {
  const config = reworded(project, (text) => (text.endsWith('.json') ? text : joined(text, 'tsconfig.json')));
  const bare = (textOn(call, config) ?? '').replace(/^\s*\/\/.*$/gm, '');
  if (/"noEmit"\s*:\s*true/.test(bare)) return NOTHING;
  const dir = /"outDir"\s*:\s*"([^"]+)"/.exec(bare)?.[1];
  const root = reworded(config, (it) => it.slice(0, Math.max(0, it.lastIndexOf('/'))) || '.');
  if (dir !== undefined) return scope(call, 'build', [reworded(root, (it) => joined(it, dir))]);
  const made = ['**/*.js', '**/*.d.ts'].map((it) => reworded(root, (at) => joined(at, it)));
  return scope(call, 'build', made);
}

const esbuild: Writer = (call) => {
  const given = options(call.args, 'outfile: outdir: metafile:');
  const dirs = given.values('outdir');
  return together([
    files(call, [...given.values('outfile'), ...given.values('metafile')], 'write'),
    dirs.length > 0 ? scope(call, 'build', dirs) : NOTHING,
  ]);
};

const go: Writer = (call) => {
  const [verb, ...rest] = call.args;
  const given = options(rest, 'o: C: mod: tags: ldflags: gcflags: run: w', 'words');
  const inner = within(call, given.value('C'));
  const [first] = given.operands;
  switch (verb?.text) {
    case 'build':
      if (given.has('o')) return file(inner, given.value('o'), 'write');
      return given.operands.length > 0 || inner.cwd === null
        ? NOTHING
        : scope(inner, 'build', [word(baseName(inner.cwd))]);
    case 'test':
      return files(inner, [...given.values('o'), ...given.values('coverprofile')], 'write');
    case 'get':
    case 'mod':
    case 'work':
      if (/^(?:graph|why|verify|download)$/.test(first?.text ?? '')) return NOTHING;
      if (verb.text === 'work') return scope(inner, 'packages', asWords(['go.work', 'go.work.sum']));
      return scope(
        inner,
        'packages',
        asWords(['go.mod', 'go.sum', ...(first?.text === 'vendor' ? ['vendor'] : [])]),
      );
    case 'fmt':
    case 'fix':
      if (verb.text === 'fmt' && given.has('n')) return NOTHING;
      return scope(inner, 'formatter', asWords(['**/*.go']));
    case 'generate':
      return scope(inner, 'generator', asWords(['**/*.go']));
    default:
      return NOTHING;
  }
};

/** Fills `usual` in the project's directory, or the directory that the option names. */
const fills =
  (usual: string, verb = /^(?:build|bundle|generate|export|compile)$/, grammar = '', dir = ''): Writer =>
  (call) => {
    const given = options(call.args, grammar);
    const is_building = given.operands.some(({ text }) => text !== null && verb.test(text)) || verb.test('');
    if (!is_building || given.has('noEmit')) return NOTHING;
    const out = given.value(dir);
    return scope(call, 'build', [out ?? word(usual)]);
  };

const ALWAYS = /(?:)/;

const rollup: Writer = (call) => {
  const given = options(call.args, 'o,file: d,dir: c,config? f,format: i,input: p,plugin:');
  if (given.has('o')) return file(call, given.value('o'), 'write');
  return scope(call, 'build', [given.value('d') ?? word('dist')]);
};

const cmake: Writer = (call) => {
  const given = options(
    call.args,
    'B: S: G: D: C: build: install: T: A: P: E: preset: target: config: parallel: j: prefix:',
  );
  if (given.has('E', 'P')) return NOTHING;
  return scope(call, 'build', [
    given.value('build') ?? given.value('install') ?? given.value('B') ?? word('.'),
  ]);
};

const ninja: Writer = (call) => {
  const given = options(call.args, 'C: f: j: k: l: d: t: n');
  return given.has('n', 't') ? NOTHING : scope(call, 'build', [given.value('C') ?? word('.')]);
};

const tsup = fills('dist', ALWAYS, 'd,out-dir: format: c,config:', 'd');
const mvn = fills('target', /^(?:compile|package|install|verify|test)$/);
const gradle = fills('build', /./);

export const COMPILERS: Readonly<Record<string, Writer>> = {
  ...{ gcc: cc, cc, 'g++': cc, 'c++': cc, clang: cc, 'clang++': cc, tcc: cc, gfortran: cc },
  ...{ tsc, esbuild, go, rollup, cmake, ninja },
  vite: fills('dist', /^build$/, 'outDir: c,config: m,mode: base:', 'outDir'),
  webpack: fills('dist', ALWAYS, 'o,output-path: c,config: mode: entry:', 'o'),
  parcel: fills('dist', /^build$/, 'd,dist-dir: target:', 'd'),
  ...{ tsup, tsdown: tsup, unbuild: fills('dist', ALWAYS) },
  next: fills('.next', /^(?:build|dev)$/),
  ...{ nuxt: fills('.nuxt'), nuxi: fills('.nuxt') },
  astro: fills('dist', /^build$/, 'outDir:', 'outDir'),
  'vue-cli-service': fills('dist', /^build$/, 'dest:', 'dest'),
  'react-scripts': fills('build', /^build$/),
  ng: fills('dist', /^build$/, 'output-path:', 'output-path'),
  swc: fills('dist', ALWAYS, 'd,out-dir: o,out-file:', 'd'),
  babel: fills('lib', ALWAYS, 'd,out-dir: o,out-file:', 'd'),
  ...{ mvn, mvnw: mvn, gradle, gradlew: gradle },
  mkdocs: fills('site', /^build$/, 'd,site-dir: f,config-file:', 'd'),
  hugo: fills('public', ALWAYS, 'd,destination: s,source:', 'd'),
};
