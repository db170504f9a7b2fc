// Builds dist/: the hook as one CommonJS file (a hook process must not read many files), the rest
// of the command line as lazily loaded ESM chunks. `--if-needed` returns at once when dist is newer
// than every source file.
import { readdirSync, statSync, rmSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const newest = (dir) =>
  readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((max, entry) => Math.max(max, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

const isFresh = () => {
  try {
    const built = statSync(join(root, 'dist/hook.cjs')).mtimeMs;
    return built > Math.max(newest('src'), newest('scripts'), statSync(join(root, 'package.json')).mtimeMs);
  } catch {
    return false;
  }
};

/** The hook loads what only some events need from a file of its own, on use. */
const extraIsASecondFile = {
  name: 'extra-is-a-second-file',
  setup(build) {
    build.onResolve({ filter: /\/extra\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './extra.cjs', external: true } : undefined,
    );
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: ['fs-ext', 'koffi'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

if (!(process.argv.includes('--if-needed') && isFresh())) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  mkdirSync(join(root, 'dist'));
  await Promise.all([
    build({
      ...shared,
      format: 'cjs',
      entryPoints: { hook: 'src/claude/main.ts', extra: 'src/claude/extra.ts' },
      outdir: 'dist',
      outExtension: { '.js': '.cjs' },
      plugins: [extraIsASecondFile],
      define: { 'import.meta.url': '__file_url' },
      banner: { js: "const __file_url = process.getBuiltinModule('node:url').pathToFileURL(__filename).href;" },
    }),
    build({
      ...shared,
      format: 'esm',
      splitting: true,
      entryPoints: { cli: 'src/cli/main.ts' },
      outdir: 'dist/cli',
      chunkNames: 'chunks/[name]-[hash]',
      outExtension: { '.js': '.mjs' },
      banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    }),
  ]);
}
