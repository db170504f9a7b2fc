import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes `dir`, which is `base` or below it. What guard puts into `base` enters nobody's commit by `git add -A`: by a `.gitignore`; one
 * that is there already, an empty one too, stays.
 */
export function makeOutOfGit(base: string, dir = base): void {
  mkdirSync(dir, { recursive: true });
  const ignore = join(base, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}
