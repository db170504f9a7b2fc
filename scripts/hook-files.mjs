// Writes settings.example.json and hooks/hooks.json from src/install/entries.ts. `--check` writes nothing and exits 1
// when one is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const bundle = await build({
  absWorkingDir: root,
  entryPoints: ['src/install/static-files.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { STATIC_FILES } = await import(`data:text/javascript;base64,${source}`);

for (const [name, value] of Object.entries(STATIC_FILES)) {
  const file = join(root, name);
  const text = await format(JSON.stringify(value), { ...(await resolveConfig(file)), filepath: file });
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is out of date. Run: node scripts/hook-files.mjs\n`);
    process.exitCode = 1;
  }
}
