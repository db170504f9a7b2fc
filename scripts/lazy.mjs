// Code that only some events need is in separate files next to the hook, loaded at the first call of one of their
// functions. A source declares this in its first line, and is imported like any other.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const MARK = /^\/\/ lazy: /;

const nameOf = (source) => `${basename(source, '.ts')}.cjs`;

/** Paths relative to `root`. Their base names become file names in one directory. */
export function lazySources(root) {
  const sources = readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && MARK.test(readFileSync(join(root, path), 'utf8')))
    .sort();
  const names = sources.map(nameOf);
  const twice = sources.filter((source, at) => names.indexOf(nameOf(source)) !== at);
  if (twice.length > 0) throw new Error(`another lazy file has the same base name: ${twice.join(', ')}`);
  return sources;
}

/** The names that each of `sources` exports, without types, by source. */
export async function exportsOf(root, sources) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: sources,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'names',
    logLevel: 'warning',
  });
  return new Map(Object.values(metafile.outputs).map((made) => [made.entryPoint, made.exports]));
}

/** One function makes them all: a hook has 140, and as functions in its text they would be 4 KB more and be read one by one. */
const onUseIn = (dir) => `export const onUse = (name, called) => (...args) => {
  const file = '${dir}' + name + '.cjs';
  return require(file)[called](...args);
};`;

const ON_USE = 'on-use';

const callsInto = (name, names) =>
  [
    `import { onUse } from '${ON_USE}';`,
    ...names.map((called) => `export const ${called} = /* @__PURE__ */ onUse('${name}', '${called}');`),
  ].join('\n');

/** Replaces imports of a lazy source by calls into its file in `dir`, a path relative to the built file. */
export const calls = (root, exported, dir) => ({
  name: 'calls',
  setup(context) {
    const sources = new Map([...exported.keys()].map((source) => [join(root, source), source]));
    context.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      const source = kind === 'entry-point' ? undefined : sources.get(join(resolveDir, path));
      return source === undefined ? undefined : { path: source, namespace: 'lazy' };
    });
    context.onResolve({ filter: new RegExp(`^${ON_USE}$`) }, ({ path }) => ({ path, namespace: 'lazy' }));
    context.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: path === ON_USE ? onUseIn(dir) : callsInto(basename(path, '.ts'), exported.get(path)),
      loader: 'js',
    }));
  },
});

/** Fails if a file in `dir` exports anything but functions: a call would replace it. */
export function onlyFunctions(dir) {
  for (const file of readdirSync(dir)) {
    const wrong = Object.entries(createRequire(import.meta.url)(join(dir, file)))
      .filter(([, value]) => typeof value !== 'function')
      .map(([name]) => name);
    if (wrong.length > 0)
      throw new Error(`${file} is lazy and exports more than functions: ${wrong.join(', ')}`);
  }
}

/** For each file of the build, the sources that it is made of, as text. */
export function madeOf(out, metafiles) {
  const files = metafiles.flatMap(({ outputs }) => Object.entries(outputs));
  const rows = files.map(([file, { inputs }]) => [
    file.slice(out.length + 1),
    Object.keys(inputs)
      .filter((path) => !/^(?:lazy|built-in):/.test(path))
      .sort(),
  ]);
  return `${JSON.stringify(Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
}
