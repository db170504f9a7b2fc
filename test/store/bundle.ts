/**
 * Test programs in TypeScript, bundled so that plain child processes can run them, and the engine as one CommonJS file
 * whose built-in modules can be patched and whose source can be mutated.
 */
import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'node_modules/.cache/guard-test');

const bundled = new Map<string, string>();

/** Bundles a module's source text, once; its paths are relative to the repository. */
export function bundleText(contents: string): string {
  const text = bundled.get(contents) ?? bundleNow(contents);
  bundled.set(contents, text);
  return text;
}

function bundleNow(contents: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // As if it were in dist/, because the native lock is looked up next to it.
    define: {
      'import.meta.url': '__file_url',
      'import.meta.filename': JSON.stringify(join(ROOT, 'dist/test.cjs')),
    },
    banner: { js: "const __file_url = process.getBuiltinModule('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** Writes a bundle under the hash of its content; several test files may do so simultaneously. */
export function writeBundle(text: string): string {
  const path = join(OUT, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`);
  if (existsSync(path)) return path;
  mkdirSync(OUT, { recursive: true });
  const scratch = `${path}.${process.pid}`;
  writeFileSync(scratch, text);
  renameSync(scratch, path);
  return path;
}

/** A program that calls the exported `main` of a module of the repository. */
export function bundleProgram(module: string): string {
  return writeBundle(bundleText(`import { main } from './${module}'; void main(process.argv.slice(2));`));
}

export function loadBundle(path: string): unknown {
  return createRequire(import.meta.url)(path) as unknown;
}
