// The page of `guard serve --ui` as one self-contained file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** @returns the sources that it is made of */
export async function makePage(root, out) {
  const common = { absWorkingDir: root, bundle: true, minify: true, write: false, legalComments: 'none' };
  const [script, style] = await Promise.all([
    build({
      ...common,
      entryPoints: ['src/page/main.tsx'],
      platform: 'browser',
      format: 'esm',
      target: ['chrome111', 'firefox113', 'safari16.4'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      metafile: true,
      logLevel: 'warning',
    }),
    build({ ...common, entryPoints: ['src/page/style.css'], logLevel: 'warning' }),
  ]);
  const [{ text: code }] = script.outputFiles;
  const [{ text: css }] = style.outputFiles;
  // No string in the code may end the element.
  const safe = code.trim().replace(/<\/(script)/gi, '<\\/$1');
  const shell = readFileSync(join(root, 'src/page/page.html'), 'utf8');
  const html = shell.replace('/*style*/', () => css.trim()).replace('/*script*/', () => safe);
  writeFileSync(join(root, out, 'page.html'), html);
  return Object.keys(script.metafile.inputs);
}
