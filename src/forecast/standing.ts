/**
 * What a checkout stands in the middle of. Its files then have markers, or are those of some commit on the way: what is sound is
 * said in commits.
 */
import { join } from 'node:path';
import { type Midway, midwayIn } from '../repo/midway.ts';
import { textOf } from '../repo/small-file.ts';

export interface Standing {
  readonly operation: Midway | null;
  /** What it works on, where HEAD does not say: the name of a branch. */
  readonly branch: string | null;
  /** The commit that has all of that branch; null: HEAD has. */
  readonly tip: string | null;
  /** What a commit of the files would be made of besides HEAD. */
  readonly parents: readonly string[];
}

/** @param git_dir of the checkout itself */
export function standingOf(git_dir: string): Standing {
  const [file = '', operation = null] = midwayIn(git_dir) ?? [];
  const line = (name: string): string | null => (textOf(join(git_dir, name)) ?? '').trim() || null;
  const none = { operation, branch: null, tip: null, parents: [] };
  if (operation === 'rebase')
    return {
      ...none,
      branch: line(`${file}/head-name`)?.replace(/^refs\/heads\//, '') ?? null,
      tip: line(`${file}/orig-head`),
    };
  if (operation === 'merge') return { ...none, parents: line('MERGE_HEAD')?.split(/\s+/) ?? [] };
  if (operation !== 'bisect') return none;
  const start = line('BISECT_START');
  return { ...none, branch: start, tip: start && `refs/heads/${start}` };
}
