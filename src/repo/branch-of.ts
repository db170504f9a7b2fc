import { join } from 'node:path';
import { gitPlaceOf } from './clones.ts';
import { gitDirOf } from './git-dir.ts';
import type { Repo } from './repo.ts';
import { textOf } from './small-file.ts';

/** The branch of a checkout, read without git; null: none, or not known. @param id as in the ledger; '' is the main checkout */
export function branchOf(
  repo: Pick<Repo, 'common_dir' | 'state_dir' | 'joined' | 'clone'>,
  id: string,
): string | null {
  const place = gitPlaceOf(repo, id);
  if (place === null) return null;
  const dir = gitDirOf(place.common_dir, place.worktree);
  return /^ref: refs\/heads\/(.+)/.exec(textOf(join(dir, 'HEAD')) ?? '')?.[1] ?? null;
}
