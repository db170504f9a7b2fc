import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes `dir`, which is `base` or below it. A `.gitignore` in `base` keeps its contents out of every `git add -A`; an
 * existing one, even if empty, is left as it is.
 */
export function makeOutOfGit(base: string, dir = base): void {
  mkdirSync(dir, { recursive: true });
  const ignore = join(base, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}
