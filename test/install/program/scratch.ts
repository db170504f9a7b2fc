/** Small programs of the right shape where package managers install them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { put, scratchDir } from '../scratch.ts';

export const NOW_MS = Date.UTC(2026, 0, 31);
export const DAY_MS = 24 * 3600_000;

/** A complete program below `node_modules` whose hook and command print the version and their location. */
export function program(version: string, mark = ''): string {
  const root = join(scratchDir('guard-program-'), 'node_modules', 'guard');
  put(join(root, 'package.json'), JSON.stringify({ name: 'guard', version, type: 'module' }));
  put(join(root, 'dist/hook.cjs'), `console.log(${JSON.stringify(version)}, __dirname);\n`);
  put(join(root, 'dist/cli/cli.mjs'), `// ${mark}\n`);
  put(
    join(root, 'bin/guard.cjs'),
    `console.log(${JSON.stringify(version)}, process.argv.slice(2).join());\n`,
  );
  put(join(root, 'native/guard-linux-x64.node'), 'native');
  return root;
}

/** A home that does not exist yet, as on a machine that is new to guard. */
export function emptyHome(): string {
  const data = scratchDir('guard-data-');
  mkdirSync(data, { recursive: true });
  return join(data, 'guard');
}
