#!/usr/bin/env node
// `guard hook` runs before and after every tool call: it loads the one hook file and nothing else.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/', import.meta.url);
if (!existsSync(new URL('hook.cjs', built))) {
  process.stderr.write(
    `guard is not built: run "npm run build" in ${fileURLToPath(new URL('..', import.meta.url))}\n`,
  );
  process.exit(2);
}
if (process.argv[2] === 'hook') createRequire(import.meta.url)('../dist/hook.cjs');
else await import(new URL('cli/cli.mjs', built).href);
