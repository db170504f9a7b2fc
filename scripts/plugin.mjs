// Makes plugin/: guard as a built Claude Code plugin, without anything that a plugin does not need. The marketplace in
// .claude-plugin/ points at it; continuous integration pushes it to a separate branch.
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

/** @param out absolute path of the directory to make */
export function makePlugin(root, out) {
  mkdirSync(join(out, '.claude-plugin'), { recursive: true });
  for (const part of PARTS)
    cpSync(join(root, part), join(out, part), { recursive: true, filter: (file) => !MADE_HERE.test(file) });
  writeFileSync(join(out, 'package.json'), packedManifest());
  cpSync(join(root, '.claude-plugin/plugin.json'), join(out, '.claude-plugin/plugin.json'));
  const marketplace = JSON.parse(readFileSync(join(root, '.claude-plugin/marketplace.json'), 'utf8'));
  // The tree is also a marketplace by itself, because the branch contains only this tree.
  for (const plugin of marketplace.plugins) plugin.source = './';
  writeFileSync(join(out, '.claude-plugin/marketplace.json'), `${JSON.stringify(marketplace, null, 2)}\n`);
}
