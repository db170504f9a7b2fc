// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Roots of other repositories in which an agent wrote, stored in a file next to its baselines. */
import fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asList } from '../core/json-object.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { unsealLine, sealLine } from '../store/sealed-line.ts';

/** In any further repositories, its leases end when they expire. */
const ROOTS_MAX = 32;

export function rootsIn(file: string): readonly string[] {
  const { roots } = unsealLine(attempt(() => fs.readFileSync(file, 'utf8'), null)) ?? {};
  return asList(roots).map(String);
}

export function addRoot(file: string, root: string): void {
  const roots = rootsIn(file);
  if (roots.includes(root) || roots.length >= ROOTS_MAX) return;
  replaceWithin(dirname(file), basename(file), sealLine({ v: 1, roots: [...roots, root] }), true);
}
