// The packed package.json has neither scripts nor devDependencies: npm names every package with a script of these kinds in
// a warning, and people who install guard cannot run them. `prepack` puts it in place, and `postpack` restores the whole
// one; after a `prepack` without its `postpack`, the next one repairs that.
//   node scripts/manifest.mjs pack|unpack
import { existsSync, linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [manifest, whole] = ['package.json', '.package.json.whole'].map((name) => join(root, name));

/** The text of the package.json for a package made from `root`. */
export function packedManifest() {
  const all = JSON.parse(readFileSync(existsSync(whole) ? whole : manifest, 'utf8'));
  const kept = Object.entries(all).filter(([key]) => !['scripts', 'devDependencies'].includes(key));
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

function pack() {
  const text = packedManifest();
  if (!existsSync(whole)) linkSync(manifest, whole);
  const temporary = `${manifest}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, manifest);
}

if (process.argv[2] === 'pack') pack();
if (process.argv[2] === 'unpack' && existsSync(whole)) renameSync(whole, manifest);
