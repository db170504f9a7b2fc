// Writes guard.schema.json from src/config/schema.ts. `--check` writes nothing and exits 1 when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'guard.schema.json');

const bundle = await build({
  absWorkingDir: root,
  entryPoints: ['src/config/json-schema.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const { jsonSchema } = await import(
  `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`
);
const { format, resolveConfig } = await import('prettier');
const text = await format(JSON.stringify(jsonSchema()), { ...(await resolveConfig(file)), filepath: file });

if (process.argv.includes('--check')) {
  let current = '';
  try {
    current = readFileSync(file, 'utf8');
  } catch {
    // Missing is out of date.
  }
  if (current !== text) {
    process.stderr.write('guard.schema.json is out of date. Run: node scripts/schema.mjs\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}
