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
    build({ ...shared, format: 'cjs', entryPoints: { hook: 'src/claude/main.ts' }, outdir: 'dist', outExtension: { '.js': '.cjs' } }),
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
