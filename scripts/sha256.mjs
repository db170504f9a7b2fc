// Makes src/repo/sha256-module.ts from sha256.wat. Run it after changing the source; a test compares the two (--print).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';

const dir = join(import.meta.dirname, '../src/repo');

const { parseWat } = await wabt();
const module = parseWat('sha256.wat', readFileSync(join(dir, 'sha256.wat'), 'utf8'));
module.validate();
const assembled = Buffer.from(module.toBinary({}).buffer).toString('base64');

if (process.argv.includes('--print')) {
  process.stdout.write(assembled);
} else {
  const text = [
    '/** Made by scripts/sha256.mjs from sha256.wat. */',
    '// prettier-ignore',
    `export const SHA256_MODULE = '${assembled}';`,
    '',
  ];
  writeFileSync(join(dir, 'sha256-module.ts'), text.join('\n'));
}
