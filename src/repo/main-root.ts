import { dirname, sep } from 'node:path';
import type { Repo } from './repo.ts';

/** Root of the repository's main checkout, given any of its checkouts. */
export function mainRoot({ root, common_dir }: Pick<Repo, 'root' | 'common_dir'>): string {
  return common_dir !== null && common_dir.endsWith(`${sep}.git`) ? dirname(common_dir) : root;
}
