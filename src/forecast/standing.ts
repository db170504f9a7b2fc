/**
 * The operation that a checkout is in the middle of. Its files may then contain markers, or belong to an intermediate
 * commit, so only the commits are reliable.
 */
import { join } from 'node:path';
import { type Midway, midwayIn } from '../repo/midway.ts';
import { textOf } from '../repo/small-file.ts';

export interface Standing {
  readonly operation: Midway | null;
  /** The branch that it works on, if HEAD does not name it. */
  readonly branch: string | null;
  /** The commit with everything on that branch; null: HEAD is. */
  readonly tip: string | null;
  /** Parents, besides HEAD, of a commit of the files. */
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
