// Makes plugin/: guard as a Claude Code plugin, built, with nothing that a plugin does not need. The marketplace in
// .claude-plugin/ points at it; continuous integration pushes it as a branch of its own.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedManifest } from './manifest.mjs';

export const PARTS = [
  'bin',
  'dist',
  'hooks',
  'native',
  'fence',
  'commands',
  'skills',
  'guard.schema.json',
  'LICENSE',
  'CHANGELOG.md',
];
const MADE_HERE = /\.compiled(?:\.\d+)?$|\bmade-of\.json$/;

/** @param out directory to make, absolute */
export function makePlugin(root, out) {
  mkdirSync(join(out, '.claude-plugin'), { recursive: true });
  for (const part of PARTS)
    cpSync(join(root, part), join(out, part), { recursive: true, filter: (file) => !MADE_HERE.test(file) });
  writeFileSync(join(out, 'package.json'), packedManifest());
  cpSync(join(root, '.claude-plugin/plugin.json'), join(out, '.claude-plugin/plugin.json'));
  const marketplace = JSON.parse(readFileSync(join(root, '.claude-plugin/marketplace.json'), 'utf8'));
  // The tree is a marketplace of its own as well: that is what the branch holds.
  for (const plugin of marketplace.plugins) plugin.source = './';
  writeFileSync(join(out, '.claude-plugin/marketplace.json'), `${JSON.stringify(marketplace, null, 2)}\n`);
}
