// Writes docs/openapi.json from the routes of guard serve. `--check` writes nothing and exits 1 when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'docs/openapi.json');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const bundle = await build({
  absWorkingDir: root,
  stdin: {
    contents: "export { documentOf } from './src/http/document.ts';",
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  external: ['fs-ext', 'koffi'],
  banner: {
    js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
  },
});
const { documentOf } = await import(
  `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`
);
const { format, resolveConfig } = await import('prettier');
const text = await format(JSON.stringify(documentOf(version)), {
  ...(await resolveConfig(file)),
  filepath: file,
});

if (process.argv.includes('--check')) {
  let current = '';
  try {
    current = readFileSync(file, 'utf8');
  } catch {
    // Missing is out of date.
  }
  if (current !== text) {
    process.stderr.write('docs/openapi.json is out of date. Run: node scripts/openapi.mjs\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}
