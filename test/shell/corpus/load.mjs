// Loads the corpora's TypeScript in a Node without type stripping.
import { build } from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Returns the exports of a TypeScript file in this directory. */
export async function load(name) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'shell-corpus-load-'));
  const outfile = path.join(dir, name.replace(/\.ts$/, '.mjs'));
  try {
    await build({
      entryPoints: [path.join(import.meta.dirname, name)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
