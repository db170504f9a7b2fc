// Files generated from the sources and kept in the tree. `--check` writes nothing and exits 1 if one is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Loads a TypeScript source with all its imports. */
export async function load(source) {
  const bundle = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
  });
  const code = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** @param command the command that regenerates the file */
export async function put(name, value, command) {
  const file = join(root, name);
  const text = await format(JSON.stringify(value), { ...(await resolveConfig(file)), filepath: file });
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is out of date. Run: ${command}\n`);
    process.exitCode = 1;
  }
}
