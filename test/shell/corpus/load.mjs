// The corpora's TypeScript, for programs that a Node without type stripping runs.
import { build } from 'esbuild';
import path from 'node:path';

/** The exports of a TypeScript file beside this one. */
export async function load(name) {
  const bundled = await build({
    entryPoints: [path.join(import.meta.dirname, name)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
  });
  const text = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${text}`);
}
